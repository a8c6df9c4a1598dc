import type { JsonObject } from "@levelset/core";
import { metadataOf, nameOf, objectOrEmpty } from "../json-parts.ts";

/** Annotation with the generation of the fleet resource that an object was created for. */
export const GENERATION_ANNOTATION = "hyperfleet.io/generation";

/** Returns the generation annotation of a manifest or object; undefined if it is missing. */
export function generationAnnotationOf(object: JsonObject): string | undefined {
  const generation = objectOrEmpty(metadataOf(object)["annotations"])[GENERATION_ANNOTATION];
  return typeof generation === "string" ? generation : undefined;
}

/** Returns the generation annotation as a number; 0 if it is missing. */
export function generationNumber(object: JsonObject): number {
  const value = Number(generationAnnotationOf(object) ?? 0);
  return Number.isFinite(value) ? value : 0;
}

/** Sorts objects by descending generation, then by name. */
export function newestFirst(objects: readonly JsonObject[]): readonly JsonObject[] {
  return objects.toSorted((a, b) => generationNumber(b) - generationNumber(a) || compare(nameOf(a), nameOf(b)));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
