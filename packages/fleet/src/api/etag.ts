import type { VersionedResource } from "../service/index.ts";

/** Returns the ETag of a resource: the generation, which users change, and the revision, which reports change too. */
export function etagOf({ resource, revision }: VersionedResource): string {
  return `"${resource.generation}.${revision}"`;
}

const TAG = /^(?:W\/)?"(\d+)\.\d+"$/;

/**
 * Returns the generations that an `If-Match` header accepts; undefined for any. The revision is ignored, because a
 * report in between is no reason to refuse a user's change. A foreign ETag matches no generation.
 */
export function ifMatchGenerations(ifMatch: string | undefined): readonly number[] | undefined {
  if (ifMatch === undefined || ifMatch.trim() === "*") return undefined;
  return tagsOf(ifMatch).flatMap((tag) => {
    const generation = TAG.exec(tag)?.[1];
    return generation === undefined ? [] : [Number(generation)];
  });
}

/** Returns true if an `If-None-Match` header includes the current ETag. */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.trim() === "*" || tagsOf(ifNoneMatch).some((tag) => tag.replace(/^W\//, "") === etag);
}

function tagsOf(header: string): readonly string[] {
  return header.split(",").map((tag) => tag.trim());
}
