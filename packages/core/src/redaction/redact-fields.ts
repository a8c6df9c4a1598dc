import { isJsonObject } from "../json/index.ts";
import type { JsonValue } from "../json/index.ts";

/** Replacement of a secret. */
export const REDACTED = "***REDACTED***";

/** Maximum depth visible to expressions; deeper data is redacted. */
const REDACT_DEPTH_MAX = 20;

/** Parts of secret-like names, in lowercase without punctuation. */
const SECRET_NAMES: readonly string[] = [
  "password",
  "passwd",
  "passphrase",
  "passcode",
  "secret",
  "token",
  "apikey",
  "accesskey",
  "privatekey",
  "signingkey",
  "encryptionkey",
  "sshkey",
  "credential",
  "authorization",
  "oauth",
  "bearer",
  "cookie",
  "sessionid",
  "kubeconfig",
  "connectionstring",
  "jwt",
];

/** Redacts all values under secret-like names, so that rules cannot copy secrets into publicly readable conditions. */
export function redactFields(value: JsonValue, depth = 0): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  if (depth >= REDACT_DEPTH_MAX) return REDACTED;
  if (!isJsonObject(value)) return value.map((item: JsonValue) => redactFields(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, isSecret(name) ? REDACTED : redactFields(member, depth + 1)]),
  );
}

function isSecret(name: string): boolean {
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, "");
  return SECRET_NAMES.some((secret) => plain.includes(secret));
}
