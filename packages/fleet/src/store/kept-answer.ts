/** An answer that is kept for the next request with the same idempotency key. */
export interface KeptAnswer {
  /** Who sent it to where, and the key: `identity\ntenancy\nmethod path\nkey`, hashed. */
  readonly key: string;
  /** A hash of the request's body: the same key with another body is a mistake. */
  readonly request: string;
  readonly time: number;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}
