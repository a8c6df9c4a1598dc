import { isJsonObject } from "@levelset/core";
import type { JsonObject, JsonValue } from "@levelset/core";
import type { KindNames } from "./collection.ts";

/** What a client may know of a kind. */
export interface KindDescription extends KindNames {
  /** The kind whose children these are. */
  readonly parentKind: string | undefined;
  readonly requiredAdapters: readonly string[];
}

/** The kinds in a document that describes the API; undefined if it does not tell. */
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
