import { hashJson } from "@levelset/core";
import type { JsonObject } from "@levelset/core";
import { metadataOf, objectOrEmpty } from "../json-parts.ts";

/** Owner recorded on an applied object, so that a change of the object can be traced to the fleet resource. */
export interface OwnerInfo {
  readonly adapter: string;
  /** ID of the fleet resource, and its generation if the pulse has one. */
  readonly resourceId: string;
  readonly generation: number | undefined;
  /** Kind of the fleet resource, if the pulse has one. */
  readonly resourceKind?: string | undefined;
}

/** Label with the adapter that applied an object; informers select by it. */
export const ADAPTER_LABEL = "fleet.levelset.dev/adapter";
/** Annotation with the ID of the fleet resource. */
export const RESOURCE_ANNOTATION = "fleet.levelset.dev/resource";
/** Annotation with the kind of the fleet resource. Objects created by version 0.1 lack it. */
export const RESOURCE_KIND_ANNOTATION = "fleet.levelset.dev/resource-kind";

/** Returns the label value: the adapter's name, or a digest if the name is not a valid label value. */
export function adapterLabel(adapter: string): string {
  const isLabel = adapter.length <= 63 && /^[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/u.test(adapter);
  return isLabel ? adapter : hashJson(adapter).slice(0, 40);
}

/** Owner read from an object; missing parts are undefined. */
export interface RecordedOwner {
  readonly adapter: string | undefined;
  readonly resourceId: string | undefined;
  readonly resourceKind: string | undefined;
}

/** Reads the owner from the labels and annotations of an object. */
export function recordedOwnerOf(object: JsonObject): RecordedOwner {
  const metadata = metadataOf(object);
  const [labels, annotations] = [objectOrEmpty(metadata["labels"]), objectOrEmpty(metadata["annotations"])];
  const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
  return {
    adapter: text(labels[ADAPTER_LABEL]),
    resourceId: text(annotations[RESOURCE_ANNOTATION]),
    resourceKind: text(annotations[RESOURCE_KIND_ANNOTATION]),
  };
}

/**
 * Returns a manifest with owner labels and annotations. If the pulse has no kind, it is copied from the live object.
 */
export function withOwnerLabels(
  manifest: JsonObject,
  mark: OwnerInfo,
  live: JsonObject | undefined,
  annotations: Readonly<Record<string, string>> = {},
): JsonObject {
  const metadata = metadataOf(manifest);
  const kind = mark.resourceKind ?? (live === undefined ? undefined : recordedOwnerOf(live).resourceKind);
  return {
    ...manifest,
    metadata: {
      ...metadata,
      labels: { ...objectOrEmpty(metadata["labels"]), [ADAPTER_LABEL]: adapterLabel(mark.adapter) },
      annotations: {
        ...objectOrEmpty(metadata["annotations"]),
        [RESOURCE_ANNOTATION]: mark.resourceId,
        ...(kind === undefined ? {} : { [RESOURCE_KIND_ANNOTATION]: kind }),
        ...annotations,
      },
    },
  };
}
