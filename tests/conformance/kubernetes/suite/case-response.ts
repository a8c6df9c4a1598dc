import type { IncomingHttpHeaders } from "node:http";
import { valueAt, match, formatShort } from "./match.ts";
import type { Shape } from "./match.ts";

/** A complete response of a server. */
export class CaseResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly request: string;

  constructor(response: { status: number; headers: IncomingHttpHeaders; bytes: Buffer; request: string }) {
    this.status = response.status;
    this.headers = response.headers;
    this.bytes = response.bytes;
    this.request = response.request;
  }

  get text(): string {
    return this.bytes.toString("utf8");
  }

  get json(): unknown {
    try {
      return JSON.parse(this.text);
    } catch (error) {
      throw new Error(`${this.request} returned ${this.status} without JSON: ${formatShort(this.text)}`, {
        cause: error,
      });
    }
  }

  /** Returns the value at a path of the body. */
  at(path: string): unknown {
    return valueAt(this.json, path);
  }

  /** Returns the string at a path of the body; fails if there is none. */
  str(path: string): string {
    const value = this.at(path);
    if (typeof value !== "string") throw new Error(`${this.request}: ${path} is ${formatShort(value)}, not a text`);
    return value;
  }

  /** Returns the list at a path of the body; fails if there is none. */
  list(path: string): readonly unknown[] {
    const value = this.at(path);
    if (!Array.isArray(value)) throw new Error(`${this.request}: ${path} is ${formatShort(value)}, not a list`);
    return value;
  }

  /** The names of the items of a list in order. */
  get names(): readonly string[] {
    return this.list("items").map((item) => String(valueAt(item, "metadata.name")));
  }

  /** Fails unless the body has the shape. Returns itself. */
  expectShape(shape: Shape): this {
    match(this.json, shape, this.request);
    return this;
  }

  /** Fails unless the response has this status. Returns itself. */
  expectStatus(status: number): this {
    if (this.status === status) return this;
    throw new Error(`${this.request} returned ${this.status}, not ${status}: ${formatShort(this.text)}`);
  }
}

/** A request that should have succeeded failed. */
export class UnexpectedStatusError extends Error {
  readonly response: CaseResponse;

  constructor(response: CaseResponse) {
    super(`${response.request} returned ${response.status}: ${formatShort(response.text)}`);
    this.response = response;
  }
}

/** The expected error: code, reason and other parts of the Status. */
export interface ExpectedStatus {
  readonly message?: string | RegExp;
  /** Each as `field: reason`, or `reason` without a field; in any order, duplicates are ignored. */
  readonly causes?: readonly string[];
  readonly details?: Shape;
}

/** Fails unless the request is rejected like this, with a Status as body. */
export async function expectError(
  sent: Promise<CaseResponse>,
  code: number,
  reason: string,
  expected: ExpectedStatus = {},
): Promise<CaseResponse> {
  const response = await sent.catch((error: unknown) => {
    if (error instanceof UnexpectedStatusError) return error.response;
    throw error;
  });
  if (response.status < 400)
    throw new Error(`${response.request} returned ${response.status}: ${formatShort(response.text)}`);
  response.expectShape({
    kind: "Status",
    apiVersion: "v1",
    status: "Failure",
    code,
    reason: reason === "" ? undefined : reason,
  });
  if (response.status !== code)
    throw new Error(`${response.request} returned ${response.status}, but its Status has code ${code}`);
  if (expected.message !== undefined) response.expectShape({ message: expected.message });
  if (expected.details !== undefined) response.expectShape({ details: expected.details });
  if (expected.causes !== undefined) {
    match([...new Set(causesOf(response))].toSorted(), expected.causes.toSorted(), `${response.request} causes`);
  }
  return response;
}

function causesOf(response: CaseResponse): readonly string[] {
  const causes = response.at("details.causes");
  const list: readonly unknown[] = Array.isArray(causes) ? causes : [];
  return list.map((cause) => {
    const field = valueAt(cause, "field");
    const reason = String(valueAt(cause, "reason"));
    return typeof field === "string" ? `${field}: ${reason}` : reason;
  });
}
