import { decodeUtf8, JsonError, parseJson, textErrors } from "@levelset/core";
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
  checkText(json, text);
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

/** Bytes that are not UTF-8 are lone surrogates. A byte order mark is no part of the text. */
function decode(bytes: Uint8Array): string {
  return decodeUtf8(bytes).replace(/^\ufeff/u, "");
}

/** Refuses a key or value that no store can hold, with the path of its field. A text without escapes and wrong bytes has none. */
function checkText(json: JsonValue, text: string): void {
  if (text.isWellFormed() && !text.includes("\\u")) return;
  const errors = textErrors(json).map(({ field, message }) => ({
    field,
    message: message.replace("Invalid value: ", ""),
  }));
  const [first] = errors;
  if (first !== undefined) throw new Problem("VAL-006", `${first.field}: ${first.message}`, { errors });
}

function parse(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonError) throw new Problem("VAL-006", error.message, { cause: error });
    throw error;
  }
}
