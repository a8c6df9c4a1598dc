import { hashOf } from "@levelset/core";
import type { JsonObject } from "@levelset/core";
import { metadataOf, objectOf } from "../json-parts.ts";

/** For whom something is kept. Written onto it, so that a change of it leads back to the resource of the fleet. */
export interface Mark {
  readonly adapter: string;
  /** The id of the fleet's resource, and its generation as far as the pulse tells. */
  readonly resourceId: string;
  readonly generation: number | undefined;
  /** The kind of the fleet's resource, if the pulse names it. */
  readonly resourceKind?: string | undefined;
}

/** Label with the adapter that applied an object; informers select by it. */
export const ADAPTER_LABEL = "fleet.levelset.dev/adapter";
/** Annotation with the id of the fleet's resource. */
export const RESOURCE_ANNOTATION = "fleet.levelset.dev/resource";
/** Annotation with the kind of the fleet's resource. Objects made by version 0.1 lack it. */
export const RESOURCE_KIND_ANNOTATION = "fleet.levelset.dev/resource-kind";

/** A value for the label: the adapter's name, or a digest of one that is no label. */
export function adapterLabel(adapter: string): string {
  const isLabel = adapter.length <= 63 && /^[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/u.test(adapter);
  return isLabel ? adapter : hashOf(adapter).slice(0, 40);
}

/** What the marks on an object say; a part that is missing is undefined. */
export interface ReadMark {
  readonly adapter: string | undefined;
  readonly resourceId: string | undefined;
  readonly resourceKind: string | undefined;
}

/** Reads the marks on an object. */
export function markOf(object: JsonObject): ReadMark {
  const metadata = metadataOf(object);
  const [labels, annotations] = [objectOf(metadata["labels"]), objectOf(metadata["annotations"])];
  const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
  return {
    adapter: text(labels[ADAPTER_LABEL]),
    resourceId: text(annotations[RESOURCE_ANNOTATION]),
    resourceKind: text(annotations[RESOURCE_KIND_ANNOTATION]),
  };
}

/** A manifest with the marks of its owner. The kind that a pulse does not name is taken from the live object. */
export function marked(
  manifest: JsonObject,
  mark: Mark,
  live: JsonObject | undefined,
  annotations: Readonly<Record<string, string>> = {},
): JsonObject {
  const metadata = metadataOf(manifest);
  const kind = mark.resourceKind ?? (live === undefined ? undefined : markOf(live).resourceKind);
  return {
    ...manifest,
    metadata: {
      ...metadata,
      labels: { ...objectOf(metadata["labels"]), [ADAPTER_LABEL]: adapterLabel(mark.adapter) },
      annotations: {
        ...objectOf(metadata["annotations"]),
        [RESOURCE_ANNOTATION]: mark.resourceId,
        ...(kind === undefined ? {} : { [RESOURCE_KIND_ANNOTATION]: kind }),
        ...annotations,
      },
    },
  };
}
