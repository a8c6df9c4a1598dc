import type { Kind } from "@levelset/core";

/** A kind of which only the metadata is read. */
export interface MetadataKind extends Kind {
  readonly metadataOnly: true;
}

/**
 * Returns a variant of a kind for which clients and caches fetch only metadata (PartialObjectMetadata), to save
 * bandwidth and memory.
 */
export function metadataOnly(kind: Kind): MetadataKind {
  const { Object: _object, New: _new, ...rest } = kind;
  return { ...rest, metadataOnly: true };
}

/** Returns whether only metadata of a kind is read. */
export function isMetadataOnly(kind: Kind): kind is MetadataKind {
  return "metadataOnly" in kind && kind.metadataOnly === true;
}

/** Returns the Accept header for objects of a kind, or a list of them; undefined for plain JSON. */
export function acceptOf(kind: Kind, form: "object" | "list"): string | undefined {
  if (!isMetadataOnly(kind)) return undefined;
  const as = form === "list" ? "PartialObjectMetadataList" : "PartialObjectMetadata";
  return `application/json;as=${as};g=meta.k8s.io;v=v1`;
}
