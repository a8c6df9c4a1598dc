import { isJsonObject } from "@levelset/core";
import type { JsonObject, JsonValue, Kind } from "@levelset/core";

/** Returns whether a kind is Secret. */
export function isSecret({ group, kind }: Pick<Kind, "group" | "kind">): boolean {
  return group === "" && kind === "Secret";
}

/**
 * Moves `stringData` of a Secret to `data`: `stringData` is write-only, so its fields could not be removed by a later
 * apply.
 */
export function encodeStringData({ stringData, ...fields }: JsonObject): JsonObject {
  if (!isJsonObject(stringData)) return fields;
  const encoded = Object.entries(stringData).map(([name, text]) => [name, encode(text)]);
  const data = isJsonObject(fields["data"]) ? fields["data"] : {};
  return { ...fields, data: { ...data, ...Object.fromEntries(encoded) } };
}

function encode(text: JsonValue): JsonValue {
  return typeof text === "string" ? Buffer.from(text, "utf8").toString("base64") : text;
}
