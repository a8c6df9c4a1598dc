import { childPath, isJsonObject, JsonError, parseJson } from "@levelset/core";
import type { JsonValue } from "@levelset/core";
import { Problem } from "./problem.ts";
import type { RequestHeaders } from "./route.ts";

/** What a body is read from. */
export interface BodySource {
  readonly headers: RequestHeaders;
  readonly chunks: AsyncIterable<Uint8Array>;
  readonly bytesMax: number;
}

/** A body, as text and as what it says. */
export interface RequestBody {
  readonly text: string;
  readonly json: JsonValue;
}

/**
 * Reads the body of a request. Any content type will do, as with the originals, since clients often leave curl's default; but not from a
 * web page: what a page can send to another site without asking is never JSON by its content type.
 */
export async function readBody(source: BodySource): Promise<RequestBody> {
  checkHeaders(source);
  const text = decode(await bytesOf(source));
  if (text.trim() === "") throw new Problem("VAL-006", "the body is empty: JSON is needed");
  const json = parse(text);
  const field = text.includes("\\u") ? unstorableIn(json, "") : undefined;
  if (field !== undefined) {
    const message = "a text must have neither the character U+0000 nor half of a surrogate pair";
    throw new Problem("VAL-006", message, { errors: [{ field, message }] });
  }
  return { text, json };
}

function checkHeaders({ headers }: BodySource): void {
  const encoding = headers.get("content-encoding") ?? "identity";
  if (encoding.toLowerCase() !== "identity") {
    throw new Problem("VAL-009", "bodies must be sent without content-encoding");
  }
  const type = (headers.get("content-type") ?? "").toLowerCase();
  if (headers.get("origin") !== undefined && !/^application\/(?:[\w.-]+\+)?json(?:\s*;|$)/.test(type)) {
    throw new Problem("VAL-009", "a web page must send application/json");
  }
}

/** A body that is too large is read on to its end, but not kept: a caller that still sends would not hear the answer. This often its limit. */
const PATIENCE = 16;

async function bytesOf({ chunks, bytesMax }: BodySource): Promise<Uint8Array> {
  const read: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of chunks) {
      size += chunk.byteLength;
      if (size > bytesMax * PATIENCE) break;
      if (size <= bytesMax) read.push(chunk);
    }
  } catch (error) {
    throw new Problem("VAL-006", "the body could not be read to its end", { cause: error });
  }
  if (size <= bytesMax) return Buffer.concat(read);
  throw new Problem("LMT-002", `the body has more than ${bytesMax} bytes`, { headers: { connection: "close" } });
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new Problem("VAL-006", "the body is not UTF-8", { cause: error });
  }
}

function parse(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonError) throw new Problem("VAL-006", error.message, { cause: error });
    throw error;
  }
}

/** The path of a text that not every database can keep; undefined if there is none. */
function unstorableIn(value: JsonValue, path: string): string | undefined {
  if (typeof value === "string") return isStorableText(value) ? undefined : path;
  if (Array.isArray(value))
    return firstOf(value.entries(), ([index, item]) => unstorableIn(item, childPath(path, index)));
  if (!isJsonObject(value)) return undefined;
  return firstOf(Object.entries(value), ([name, member]) => {
    return isStorableText(name) ? unstorableIn(member, childPath(path, name)) : path;
  });
}

function firstOf<T>(items: Iterable<T>, find: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether a text has neither U+0000, which PostgreSQL cannot hold, nor half a surrogate pair, which UTF-8 cannot. */
export function isStorableText(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}
