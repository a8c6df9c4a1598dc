import { canonicalJson } from "./canonical.ts";
import { sha256 } from "./sha256.ts";

/** How many bytes of the digest are kept: 128 bits, so that the text fits into a label and nobody finds two values with one hash. */
const BYTES = 16;

/**
 * The hash of what data says, as 32 hexadecimal digits: equal data (by `deepEqual`) has one hash, whatever the order of its keys and
 * on whatever machine; other data has another. For telling that something changed: in an annotation of a pod template, in a status.
 * Short secrets can be guessed from their hash, like from any other.
 */
export function hashOf(value: unknown): string {
  const digest = sha256(new TextEncoder().encode(canonicalJson(value)));
  return Array.from(digest.subarray(0, BYTES), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
