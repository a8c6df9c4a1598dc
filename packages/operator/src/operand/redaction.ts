import { deepEqual, isJsonObject, parseJson } from "@levelset/core";
import type { JsonObject, JsonValue } from "@levelset/core";

/** What stands in place of every value of a Secret. */
export const MASK = "***";
/** Where a Secret holds its values. */
const FIELDS = ["data", "stringData"] as const;
/** Where kubectl keeps all that it applied, values included. */
const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";
/** Shorter texts are found in too many places to be told apart from secrets. */
const SCRUBBED_MIN = 4;

/** The same, but no Secret in it, at any depth, tells what it holds; texts that hold JSON with one, as annotations do, tell nothing. */
export function redacted(value: JsonValue): JsonValue {
  if (typeof value === "string") return holdsSecret(value) ? MASK : value;
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(redacted); // isArray loses the type of the items
  if (!isJsonObject(value)) return value;
  if (isSecret(value)) return maskedAll(value);
  if (value["kind"] !== "SecretList" || !Array.isArray(value["items"])) return mapValues(value, redacted);
  // The items of such a list do not say what they are.
  const items = (value["items"] as readonly JsonValue[]).map((item) => (isJsonObject(item) ? maskedAll(item) : MASK));
  return { ...mapValues(value, redacted), items };
}

function maskedAll(secret: JsonObject): JsonObject {
  return masked(secret, () => MASK);
}

function holdsSecret(text: string): boolean {
  if (!/^\s*[[{]/u.test(text)) return false;
  try {
    const value = parseJson(text);
    return !deepEqual(redacted(value), value);
  } catch {
    return false; // not JSON
  }
}

/** Two states of one object, where Secrets tell which of their values differ, and no more. */
export function redactedPair(
  before: JsonObject | undefined,
  after: JsonObject | undefined,
): readonly [JsonObject | undefined, JsonObject | undefined] {
  const side = (own: JsonObject | undefined, other: JsonObject | undefined, word: string): JsonObject | undefined => {
    if (own === undefined) return undefined;
    if (!isSecret(own)) return mapValues(own, redacted);
    return masked(own, (field, name, value) => {
      const beside = other?.[field];
      const isThere = isJsonObject(beside) && Object.hasOwn(beside, name);
      return isThere && !deepEqual(beside[name], value) ? `${MASK} (${word})` : MASK;
    });
  };
  return [side(before, after, "before"), side(after, before, "after")];
}

/** Whether it is a Secret: one of Kubernetes, or what may be meant to be one. */
function isSecret(value: JsonObject): boolean {
  return value["kind"] === "Secret" && (value["apiVersion"] ?? "v1") === "v1";
}

function masked(
  secret: JsonObject,
  mask: (field: string, name: string, value: JsonValue | undefined) => string,
): JsonObject {
  const shown: Record<string, JsonValue> = { ...mapValues(secret, redacted) };
  for (const field of FIELDS) {
    const values = secret[field];
    if (values === undefined) continue;
    shown[field] = isJsonObject(values)
      ? Object.fromEntries(Object.entries(values).map(([name, value]) => [name, mask(field, name, value)]))
      : MASK;
  }
  const metadata = shown["metadata"];
  if (!isJsonObject(metadata) || !isJsonObject(metadata["annotations"])) return shown;
  if (metadata["annotations"][LAST_APPLIED] === undefined) return shown;
  return { ...shown, metadata: { ...metadata, annotations: { ...metadata["annotations"], [LAST_APPLIED]: MASK } } };
}

function mapValues(object: JsonObject, change: (value: JsonValue) => JsonValue): JsonObject {
  return Object.fromEntries(
    Object.entries(object).flatMap(([name, value]) => (value === undefined ? [] : [[name, change(value)]])),
  );
}

/** Takes the values of these Secrets out of texts, such as errors of a server that quotes what it was sent. */
export function scrubber(objects: readonly JsonValue[]): (text: string) => string {
  const values = new Set<string>();
  for (const object of objects) collect(object, values);
  const longestFirst = [...values]
    .filter(({ length }) => length >= SCRUBBED_MIN)
    .toSorted((a, b) => b.length - a.length);
  return (text) => longestFirst.reduce((rest, value) => rest.replaceAll(value, MASK), text);
}

function collect(value: JsonValue, values: Set<string>): void {
  if (Array.isArray(value)) for (const item of value as readonly JsonValue[]) collect(item, values);
  if (!isJsonObject(value)) return;
  if (!isSecret(value)) {
    for (const member of Object.values(value)) if (member !== undefined) collect(member, values);
    return;
  }
  for (const field of FIELDS) {
    const held = value[field];
    for (const text of isJsonObject(held) ? Object.values(held) : [held]) {
      if (typeof text !== "string") continue;
      values.add(text);
      const isEncoded = field === "data";
      const other = Buffer.from(text, isEncoded ? "base64" : "utf8").toString(isEncoded ? "utf8" : "base64");
      values.add(other);
      // As servers quote them.
      for (const quoted of [text, other]) values.add(JSON.stringify(quoted).slice(1, -1));
    }
  }
}
