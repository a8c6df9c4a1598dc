import type { ServerResponse } from "node:http";
import { Http2ServerResponse } from "node:http2";
import type { Writable } from "node:stream";
import { nextTurn } from "../controllers/index.ts";
import { isPieces } from "../http/index.ts";
import type { Answer, AnswerBody } from "../http/index.ts";
import { acceptsGzip, gzipped } from "./encoding.ts";

/** Where an answer goes, over either version of HTTP. */
export type NodeResponse = ServerResponse | Http2ServerResponse;

/** What decides the form of an answer. */
export interface OutgoingOptions {
  readonly isHead: boolean;
  readonly acceptEncoding: string | undefined;
  /** Aborts when the client goes away. Asked for only where there is something to wait for. */
  readonly signal: () => AbortSignal;
  /** Resolves when the answer may end. Its body is sent before. Default: at once. */
  readonly beforeEnd?: (() => Promise<void>) | undefined;
}

/** Pieces of a large text are encoded and sent together up to about this length. */
const CHUNK_LENGTH = 256 * 1024;
/** Bytes of UTF-8 for each unit of a text, at most. */
const UTF8_MAX = 3;

/** Sends an answer, its body only as fast as the client takes it. Resolves when all of it was handed over. */
export async function send(response: NodeResponse, answer: Answer, options: OutgoingOptions): Promise<void> {
  const { body } = answer;
  if (body instanceof ReadableStream) {
    writeHead(response, answer);
    if (options.isHead) await body.cancel();
    else await sendStream(response, body, options.signal());
    response.end();
  } else if (acceptsGzip(options.acceptEncoding)) {
    const bytes = bytesOf(body);
    const small = await gzipped(bytes);
    if (small !== undefined) {
      answer.headers.set("content-encoding", "gzip");
      answer.headers.set("vary", "Accept-Encoding");
    }
    await sendWhole(response, answer, small ?? bytes, options);
  } else if (isPieces(body) && isLarge(body) && !options.isHead) {
    writeHead(response, answer);
    await sendPieces(response, body, options.signal());
    response.end();
  } else {
    await sendWhole(response, answer, bytesOf(body), options);
  }
}

function isLarge(pieces: readonly string[]): boolean {
  return pieces.reduce((sum, piece) => sum + piece.length, 0) > CHUNK_LENGTH;
}

async function sendWhole(
  response: NodeResponse,
  answer: Answer,
  bytes: Uint8Array,
  { isHead, beforeEnd }: OutgoingOptions,
): Promise<void> {
  answer.headers.set("content-length", String(bytes.byteLength));
  if (response instanceof Http2ServerResponse) {
    // Past the response, which would wait with the end of the stream for trailers that never come.
    const { stream } = response;
    if (stream.destroyed) return;
    stream.respond({ ":status": answer.status, ...named(answer) }, { endStream: isHead });
    // Some answers end with their headers, whatever was asked for.
    if (!stream.writableEnded) await endWith(stream, bytes, beforeEnd);
    return;
  }
  writeHead(response, answer);
  if (isHead) response.end();
  else await endWith(response, bytes, beforeEnd);
}

async function endWith(to: Writable, bytes: Uint8Array, beforeEnd: OutgoingOptions["beforeEnd"]): Promise<void> {
  if (beforeEnd === undefined) {
    to.end(bytes);
    return;
  }
  to.write(bytes);
  await beforeEnd();
  if (!to.destroyed) to.end();
}

function named({ headers }: Answer): Record<string, string | string[]> {
  const found: Record<string, string | string[]> = {};
  for (const [name, value] of headers) found[name] = typeof value === "string" ? value : [...value];
  return found;
}

function bytesOf(body: Exclude<AnswerBody, ReadableStream>): Uint8Array {
  if (body instanceof Uint8Array) return body;
  return Buffer.from(typeof body === "string" ? body : body.join(""), "utf8");
}

function writeHead(response: NodeResponse, answer: Answer): void {
  // Both kinds of response have this method; their overloads do not unite.
  (response as ServerResponse).writeHead(answer.status, named(answer));
  // A watch may be silent for long: its client must know at once that it began.
  if (!answer.headers.has("content-length") && "flushHeaders" in response) response.flushHeaders();
}

/** Encodes pieces into chunks one after the other: joining them first would cost several times as much. */
async function sendPieces(response: NodeResponse, pieces: readonly string[], signal: AbortSignal): Promise<void> {
  let chunk = Buffer.allocUnsafeSlow(CHUNK_LENGTH);
  let end = 0;
  for (const piece of pieces) {
    const most = piece.length * UTF8_MAX;
    if (end + most > chunk.length) {
      if (end > 0) await write(response, chunk.subarray(0, end), signal);
      if (signal.aborted) return;
      chunk = Buffer.allocUnsafeSlow(Math.max(CHUNK_LENGTH, most));
      end = 0;
    }
    end += chunk.write(piece, end, "utf8");
  }
  await write(response, chunk.subarray(0, end), signal);
}

async function sendStream(
  response: NodeResponse,
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  const reader = body.getReader();
  const onAbort = (): void => {
    // Lets go of a watch at once, also while nothing is being read.
    reader.cancel().catch(() => {});
  };
  signal.addEventListener("abort", onAbort, { once: true });
  for (;;) {
    const { done, value } = await reader.read();
    if (done || signal.aborted) break;
    await write(response, value, signal);
    // What else happens in this turn goes out together, one piece for many writes; what happens alone did not wait.
    await nextTurn();
  }
  signal.removeEventListener("abort", onAbort);
}

/** Resolves when more may be written, or nobody reads any more. */
async function write(response: NodeResponse, chunk: Uint8Array, signal: AbortSignal): Promise<void> {
  // Both kinds of response have this method; their overloads do not unite.
  if ((response as ServerResponse).write(chunk) || signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const onAbort = (): void => resolve();
  response.once("drain", onAbort);
  signal.addEventListener("abort", onAbort, { once: true });
  await promise;
  response.off("drain", onAbort);
  signal.removeEventListener("abort", onAbort);
}
