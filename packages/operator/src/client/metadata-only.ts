import type { Kind } from "@levelset/core";

/** A kind of which only the metadata is read. */
export interface MetadataKind extends Kind {
  readonly metadataOnly: true;
}

/** The same kind, but clients and caches fetch nothing except metadata of its objects: a fraction of the bytes and the memory. */
export function metadataOnly(kind: Kind): MetadataKind {
  const { Object: _object, New: _new, ...rest } = kind;
  return { ...rest, metadataOnly: true };
}

/** Whether only metadata of a kind is read. */
export function isMetadataOnly(kind: Kind): kind is MetadataKind {
  return "metadataOnly" in kind && kind.metadataOnly === true;
}

/** The media type that asks for objects of a kind, or a list of them. */
export function acceptOf(kind: Kind, form: "object" | "list"): string | undefined {
  if (!isMetadataOnly(kind)) return undefined;
  const as = form === "list" ? "PartialObjectMetadataList" : "PartialObjectMetadata";
  return `application/json;as=${as};g=meta.k8s.io;v=v1`;
}
