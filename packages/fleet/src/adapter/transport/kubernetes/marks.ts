import { hashOf } from "@levelset/core";
import type { JsonObject } from "@levelset/core";
import type { Mark } from "../transport.ts";
import type { JobMade } from "./job-rerun.ts";
import { metadataOf, objectOf } from "../../json-parts.ts";

/** The label by which an adapter finds what it applied. */
export const ADAPTER_LABEL = "fleet.levelset.dev/adapter";
/** The annotation with the id of the fleet's resource. */
export const RESOURCE_ANNOTATION = "fleet.levelset.dev/resource";
const HASH_ANNOTATION = "fleet.levelset.dev/made-from";
const ATTEMPT_ANNOTATION = "fleet.levelset.dev/attempt";

/** A value for the label: the adapter's name, or a digest of one that is no label. */
export function adapterLabel(adapter: string): string {
  const isLabel = adapter.length <= 63 && /^[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/u.test(adapter);
  return isLabel ? adapter : hashOf(adapter).slice(0, 40);
}

/** A manifest that says for whom it is. */
export function marked(manifest: JsonObject, mark: Mark, made: JobMade | undefined): JsonObject {
  const metadata = metadataOf(manifest);
  return {
    ...manifest,
    metadata: {
      ...metadata,
      labels: { ...objectOf(metadata["labels"]), [ADAPTER_LABEL]: adapterLabel(mark.adapter) },
      annotations: {
        ...objectOf(metadata["annotations"]),
        [RESOURCE_ANNOTATION]: mark.resourceId,
        ...(made === undefined ? {} : { [HASH_ANNOTATION]: made.hash, [ATTEMPT_ANNOTATION]: String(made.attempt) }),
      },
    },
  };
}

/** How a Job was made, as it says itself. */
export function madeFrom(live: JsonObject): JobMade | undefined {
  const annotations = objectOf(metadataOf(live)["annotations"]);
  const hash = annotations[HASH_ANNOTATION];
  const attempt = Number(annotations[ATTEMPT_ANNOTATION]);
  if (typeof hash !== "string") return undefined;
  return { hash, attempt: Number.isInteger(attempt) && attempt > 0 ? attempt : 1 };
}
