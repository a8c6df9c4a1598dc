import { isJsonObject } from "@levelset/core";
import type { JsonObject } from "@levelset/core";

const GENERATION = "hyperfleet.io/generation";

/** Of several, the one of the highest generation, then the first by name. */
export function newest(objects: readonly JsonObject[]): JsonObject | undefined {
  return objects.toSorted((a, b) => generation(b) - generation(a) || compare(name(a), name(b)))[0];
}

function generation({ metadata }: JsonObject): number {
  const annotations = isJsonObject(metadata) ? metadata["annotations"] : undefined;
  const text = isJsonObject(annotations) ? annotations[GENERATION] : undefined;
  const value = typeof text === "string" ? Number(text) : 0;
  return Number.isFinite(value) ? value : 0;
}

function name({ metadata }: JsonObject): string {
  const text = isJsonObject(metadata) ? metadata["name"] : undefined;
  return typeof text === "string" ? text : "";
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
