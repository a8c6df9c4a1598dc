import { LruCache } from "@levelset/core/internal";
import type { JWTPayload } from "jose";

/** The maximum number of cached tokens. The least recently used is evicted first. */
const TOKENS_MAX = 1_000;

interface Verified {
  readonly claims: JWTPayload;
  readonly keysVersion: number;
  readonly endTime: number;
}

/**
 * Validated tokens, so that they are not validated again with every request. An entry is valid until the token expires,
 * and only while the keys are unchanged.
 */
export class TokenCache {
  readonly #tokens = new LruCache<string, Verified>(TOKENS_MAX);

  /** Returns the claims of a cached token that is still valid. */
  claimsOf(token: string, keysVersion: number, now: number): JWTPayload | undefined {
    const found = this.#tokens.get(token);
    if (found === undefined) return undefined;
    if (found.keysVersion === keysVersion && now < found.endTime) return found.claims;
    this.#tokens.delete(token);
    return undefined;
  }

  /** Adds a validated token. */
  add(token: string, verified: Verified): void {
    this.#tokens.set(token, verified);
  }
}
