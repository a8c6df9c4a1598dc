import { canonicalJson } from "./canonical.ts";
import { sha256 } from "./sha256.ts";

/** Bytes of the digest in the hash: 128 bits fit into a label and are collision-resistant. */
const BYTES = 16;

/**
 * Returns the hash of JSON data as 32 hexadecimal digits. Data equal by `deepEqual` has the same hash on every machine.
 * For detecting changes: in an annotation of a pod template, in a status. Short secrets can be guessed from the hash.
 */
export function hashJson(value: unknown): string {
  const digest = sha256(new TextEncoder().encode(canonicalJson(value)));
  return Array.from(digest.subarray(0, BYTES), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
