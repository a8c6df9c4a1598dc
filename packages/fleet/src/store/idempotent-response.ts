/** A stored response for repeated requests with the same idempotency key. */
export interface IdempotentResponse {
  /** Hash of caller, tenancy, request line and key: `identity\ntenancy\nmethod path\nkey`. */
  readonly key: string;
  /** Hash of the request body. The same key with a different body is an error. */
  readonly request: string;
  readonly time: number;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}
