import { isJsonObject } from "@levelset/core";
import type { JsonObject, JsonValue, Kind } from "@levelset/core";

/** Whether objects of a kind are Secrets. */
export function isSecret({ group, kind }: Pick<Kind, "group" | "kind">): boolean {
  return group === "" && kind === "Secret";
}

/** A Secret whose clear text is encoded: the server forgets `stringData`, so fields of it could never be taken back. */
export function withoutStringData({ stringData, ...fields }: JsonObject): JsonObject {
  if (!isJsonObject(stringData)) return fields;
  const encoded = Object.entries(stringData).map(([name, text]) => [name, encode(text)]);
  const data = isJsonObject(fields["data"]) ? fields["data"] : {};
  return { ...fields, data: { ...data, ...Object.fromEntries(encoded) } };
}

function encode(text: JsonValue): JsonValue {
  return typeof text === "string" ? Buffer.from(text, "utf8").toString("base64") : text;
}
