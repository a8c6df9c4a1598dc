import type { Seen } from "../service/index.ts";

/** The tag of a resource as it is now: the generation, which users change, and the revision, which every report changes too. */
export function etagOf({ resource, revision }: Seen): string {
  return `"${resource.generation}.${revision}"`;
}

const TAG = /^(?:W\/)?"(\d+)\.\d+"$/;

/**
 * The generations that a change may start from, by its `If-Match`; undefined for any. A report in between is no reason to refuse a
 * user's change, so that the revision does not matter. A tag that is none of ours matches nothing.
 */
export function matchedGenerations(ifMatch: string | undefined): readonly number[] | undefined {
  if (ifMatch === undefined || ifMatch.trim() === "*") return undefined;
  return tagsOf(ifMatch).flatMap((tag) => {
    const generation = TAG.exec(tag)?.[1];
    return generation === undefined ? [] : [Number(generation)];
  });
}

/** Whether the caller has a resource as it is now, by its `If-None-Match`. */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.trim() === "*" || tagsOf(ifNoneMatch).some((tag) => tag.replace(/^W\//, "") === etag);
}

function tagsOf(header: string): readonly string[] {
  return header.split(",").map((tag) => tag.trim());
}
