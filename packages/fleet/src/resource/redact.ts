import { isJsonObject } from "@levelset/core";
import type { JsonValue } from "@levelset/core";

/** What stands in the place of a secret. */
export const REDACTED = "***REDACTED***";

/** How deep expressions see into data; what is deeper is taken for a secret. */
const REDACT_DEPTH_MAX = 20;

/** Parts of names, in small letters without punctuation, under which secrets are found. */
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

/**
 * Data as rules may see it: everything below a member whose name sounds like a secret is masked, so that no rule can carry one
 * into a condition that everybody reads.
 */
export function redact(value: JsonValue, depth = 0): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  if (depth >= REDACT_DEPTH_MAX) return REDACTED;
  if (!isJsonObject(value)) return value.map((item: JsonValue) => redact(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, isSecret(name) ? REDACTED : redact(member, depth + 1)]),
  );
}

function isSecret(name: string): boolean {
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, "");
  return SECRET_NAMES.some((secret) => plain.includes(secret));
}
