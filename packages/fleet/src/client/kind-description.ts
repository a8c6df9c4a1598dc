import { isJsonObject } from "@levelset/core";
import type { JsonObject, JsonValue } from "@levelset/core";
import type { FleetKindNames } from "./collection.ts";

/** A kind as described to clients. */
export interface KindDescription extends FleetKindNames {
  /** The kind of the parent. */
  readonly parentKind: string | undefined;
  readonly requiredAdapters: readonly string[];
}

/** Returns the kinds in an OpenAPI document; undefined if it contains none. */
export function describedKinds(document: JsonValue | undefined): readonly KindDescription[] | undefined {
  const listed = document !== undefined && isJsonObject(document) ? document["x-levelset-kinds"] : undefined;
  if (!Array.isArray(listed)) return undefined;
  return listed.filter((entry): entry is JsonObject => isJsonObject(entry)).flatMap((entry) => descriptionOf(entry));
}

function descriptionOf(entry: JsonObject): readonly KindDescription[] {
  const { kind, plural, parent_kind: parentKind, required_adapters: adapters } = entry;
  if (typeof kind !== "string" || typeof plural !== "string") return [];
  const requiredAdapters = Array.isArray(adapters) ? adapters.filter((name) => typeof name === "string") : [];
  return [{ kind, plural, parentKind: typeof parentKind === "string" ? parentKind : undefined, requiredAdapters }];
}
