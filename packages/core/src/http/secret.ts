import { createHash, timingSafeEqual } from "node:crypto";

/** Compares two secrets in constant time. Their digests have equal lengths. */
export function isSameSecret(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
