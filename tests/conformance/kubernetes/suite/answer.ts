import type { IncomingHttpHeaders } from "node:http";
import { at, match, show } from "./match.ts";
import type { Shape } from "./match.ts";

/** What a server answered, read to its end. */
export class Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly request: string;

  constructor(given: { status: number; headers: IncomingHttpHeaders; bytes: Buffer; request: string }) {
    this.status = given.status;
    this.headers = given.headers;
    this.bytes = given.bytes;
    this.request = given.request;
  }

  get text(): string {
    return this.bytes.toString("utf8");
  }

  get json(): unknown {
    try {
      return JSON.parse(this.text);
    } catch (error) {
      throw new Error(`${this.request} answers ${this.status} without JSON: ${show(this.text)}`, { cause: error });
    }
  }

  /** The value at a path of the body. */
  at(path: string): unknown {
    return at(this.json, path);
  }

  /** The text at a path of the body; fails where there is none. */
  str(path: string): string {
    const value = this.at(path);
    if (typeof value !== "string") throw new Error(`${this.request}: ${path} is ${show(value)}, not a text`);
    return value;
  }

  /** The list at a path of the body; fails where there is none. */
  list(path: string): readonly unknown[] {
    const value = this.at(path);
    if (!Array.isArray(value)) throw new Error(`${this.request}: ${path} is ${show(value)}, not a list`);
    return value;
  }

  /** The names of the items of a list, in its order. */
  get names(): readonly string[] {
    return this.list("items").map((item) => String(at(item, "metadata.name")));
  }

  /** Fails unless the body has the shape. Returns itself. */
  is(shape: Shape): this {
    match(this.json, shape, this.request);
    return this;
  }

  /** Fails unless it has this code. Returns itself. */
  has(status: number): this {
    if (this.status === status) return this;
    throw new Error(`${this.request} answers ${this.status}, not ${status}: ${show(this.text)}`);
  }
}

/** A request that was expected to succeed was refused. */
export class Refused extends Error {
  readonly answer: Answer;

  constructor(answer: Answer) {
    super(`${answer.request} answers ${answer.status}: ${show(answer.text)}`);
    this.answer = answer;
  }
}

/** How a refusal must look like: its code and reason, and whatever else is told. */
export interface Refusal {
  readonly message?: string | RegExp;
  /** Each as `field: reason`, or as `reason` where there is no field; in any order, repetitions do not count. */
  readonly causes?: readonly string[];
  readonly details?: Shape;
}

/** Fails unless the request is refused like this, with a Status as body. */
export async function refused(
  sent: Promise<Answer>,
  code: number,
  reason: string,
  wanted: Refusal = {},
): Promise<Answer> {
  const answer = await sent.catch((error: unknown) => {
    if (error instanceof Refused) return error.answer;
    throw error;
  });
  if (answer.status < 400) throw new Error(`${answer.request} answers ${answer.status}: ${show(answer.text)}`);
  answer.is({ kind: "Status", apiVersion: "v1", status: "Failure", code, reason: reason === "" ? undefined : reason });
  if (answer.status !== code)
    throw new Error(`${answer.request} answers ${answer.status}, but its Status says ${code}`);
  if (wanted.message !== undefined) answer.is({ message: wanted.message });
  if (wanted.details !== undefined) answer.is({ details: wanted.details });
  if (wanted.causes !== undefined) {
    match([...new Set(causesOf(answer))].toSorted(), wanted.causes.toSorted(), `${answer.request} causes`);
  }
  return answer;
}

function causesOf(answer: Answer): readonly string[] {
  const causes = answer.at("details.causes");
  const list: readonly unknown[] = Array.isArray(causes) ? causes : [];
  return list.map((cause) => {
    const field = at(cause, "field");
    const reason = String(at(cause, "reason"));
    return typeof field === "string" ? `${field}: ${reason}` : reason;
  });
}
