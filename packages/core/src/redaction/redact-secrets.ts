import { deepEqual, isJsonObject, parseJson } from "../json/index.ts";
import type { JsonObject, JsonValue } from "../json/index.ts";

/** Replacement for every value of a Secret. */
export const SECRET_MASK = "***";
/** Fields of a Secret that contain its values. */
export const SECRET_FIELDS = ["data", "stringData"] as const;
/** Annotation where kubectl stores the applied manifest, values included. */
const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

/**
 * Returns the value with the values of every Secret masked, at any depth. Strings that contain JSON with a Secret, as
 * annotations do, are masked completely.
 */
export function redactSecrets(value: JsonValue): JsonValue {
  if (typeof value === "string") return holdsSecret(value) ? SECRET_MASK : value;
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(redactSecrets); // Array.isArray loses the item type
  if (!isJsonObject(value)) return value;
  if (isSecret(value)) return maskedAll(value);
  if (value["kind"] !== "SecretList" || !Array.isArray(value["items"])) return mapValues(value, redactSecrets);
  // Items of a SecretList may lack kind and apiVersion.
  const items = (value["items"] as readonly JsonValue[]).map((item) =>
    isJsonObject(item) ? maskedAll(item) : SECRET_MASK,
  );
  return { ...mapValues(value, redactSecrets), items };
}

function maskedAll(secret: JsonObject): JsonObject {
  return masked(secret, () => SECRET_MASK);
}

function holdsSecret(text: string): boolean {
  if (!/^\s*[[{]/u.test(text)) return false;
  try {
    const value = parseJson(text);
    return !deepEqual(redactSecrets(value), value);
  } catch {
    return false; // not JSON
  }
}

/** Redacts two states of one object; masked values show whether they differ. */
export function redactSecretsInPair(
  before: JsonObject | undefined,
  after: JsonObject | undefined,
): readonly [JsonObject | undefined, JsonObject | undefined] {
  const side = (own: JsonObject | undefined, other: JsonObject | undefined, word: string): JsonObject | undefined => {
    if (own === undefined) return undefined;
    if (!isSecret(own)) return mapValues(own, redactSecrets);
    return masked(own, (field, name, value) => {
      const beside = other?.[field];
      const isThere = isJsonObject(beside) && Object.hasOwn(beside, name);
      return isThere && !deepEqual(beside[name], value) ? `${SECRET_MASK} (${word})` : SECRET_MASK;
    });
  };
  return [side(before, after, "before"), side(after, before, "after")];
}

/** Reports whether a value is a Secret, or may be meant as one. */
export function isSecret(value: JsonObject): boolean {
  return value["kind"] === "Secret" && (value["apiVersion"] ?? "v1") === "v1";
}

function masked(
  secret: JsonObject,
  mask: (field: string, name: string, value: JsonValue | undefined) => string,
): JsonObject {
  const shown: Record<string, JsonValue> = { ...mapValues(secret, redactSecrets) };
  for (const field of SECRET_FIELDS) {
    const values = secret[field];
    if (values === undefined) continue;
    shown[field] = isJsonObject(values)
      ? Object.fromEntries(Object.entries(values).map(([name, value]) => [name, mask(field, name, value)]))
      : SECRET_MASK;
  }
  const metadata = shown["metadata"];
  if (!isJsonObject(metadata) || !isJsonObject(metadata["annotations"])) return shown;
  if (metadata["annotations"][LAST_APPLIED] === undefined) return shown;
  return {
    ...shown,
    metadata: { ...metadata, annotations: { ...metadata["annotations"], [LAST_APPLIED]: SECRET_MASK } },
  };
}

function mapValues(object: JsonObject, change: (value: JsonValue) => JsonValue): JsonObject {
  return Object.fromEntries(
    Object.entries(object).flatMap(([name, value]) => (value === undefined ? [] : [[name, change(value)]])),
  );
}
