import type { JsonObject } from "@levelset/core";
import { metadataOf, nameOf, objectOf } from "../json-parts.ts";

/** The generation of the fleet's resource that an object was made for. */
export const GENERATION_ANNOTATION = "hyperfleet.io/generation";

/** The generation that a manifest or an object says it is for; undefined if it does not say. */
export function generationOf(object: JsonObject): string | undefined {
  const generation = objectOf(metadataOf(object)["annotations"])[GENERATION_ANNOTATION];
  return typeof generation === "string" ? generation : undefined;
}

/** The same as a number; 0 if it says none. */
export function generationNumber(object: JsonObject): number {
  const value = Number(generationOf(object) ?? 0);
  return Number.isFinite(value) ? value : 0;
}

/** The object of the highest generation first, then by name. */
export function newestFirst(objects: readonly JsonObject[]): readonly JsonObject[] {
  return objects.toSorted((a, b) => generationNumber(b) - generationNumber(a) || compare(nameOf(a), nameOf(b)));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
