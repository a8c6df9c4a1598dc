import type { JWTPayload } from "jose";

/** How many tokens are remembered. The one that was not seen longest is forgotten first. */
const TOKENS_MAX = 1_000;

interface Verified {
  readonly claims: JWTPayload;
  readonly keysVersion: number;
  readonly endTime: number;
}

/** Tokens whose signature and claims were found good, so that they are not checked anew with every request: for as long as they last, and only while the keys are the same. */
export class VerifiedTokens {
  readonly #tokens = new Map<string, Verified>();

  /** The claims of a token that is still good. */
  claimsOf(token: string, keysVersion: number, now: number): JWTPayload | undefined {
    const found = this.#tokens.get(token);
    if (found === undefined) return undefined;
    this.#tokens.delete(token);
    if (found.keysVersion !== keysVersion || now >= found.endTime) return undefined;
    this.#tokens.set(token, found);
    return found.claims;
  }

  /** Remembers a token that is good until a time. */
  add(token: string, verified: Verified): void {
    this.#tokens.set(token, verified);
    const [oldest] = this.#tokens.keys();
    if (this.#tokens.size > TOKENS_MAX && oldest !== undefined) this.#tokens.delete(oldest);
  }
}
