import type { ServerResponse } from "node:http";
import { Http2ServerResponse } from "node:http2";
import type { Writable } from "node:stream";
import { onAbort } from "@levelset/core";
import { yieldToEventLoop } from "../controllers/index.ts";
import { isChunkedText } from "../http/index.ts";
import type { ApiResponse, ResponseBody } from "../http/index.ts";
import { acceptsGzip, gzipBody } from "./gzip.ts";

/** A response of HTTP/1.1 or HTTP/2. */
export type NodeResponse = ServerResponse | Http2ServerResponse;

/** Options of {@link sendResponse}. */
export interface SendResponseOptions {
  readonly isHead: boolean;
  readonly acceptEncoding: string | undefined;
  /** Aborts when the client disconnects. Called only if the response has to wait. */
  readonly signal: () => AbortSignal;
  /** Resolves when the response may end. The body is sent before. Default: at once. */
  readonly beforeEnd?: (() => Promise<void>) | undefined;
}

/** Text chunks are encoded and sent together up to about this length. */
const CHUNK_LENGTH = 256 * 1024;
/** Maximum UTF-8 bytes per UTF-16 code unit. */
const UTF8_MAX = 3;

/** Sends a response with backpressure. Resolves when all of it is handed over to Node. */
export async function sendResponse(
  response: NodeResponse,
  answer: ApiResponse,
  options: SendResponseOptions,
): Promise<void> {
  const { body } = answer;
  if (body instanceof ReadableStream) {
    writeHead(response, answer);
    if (options.isHead) await body.cancel();
    else await sendStream(response, body, options.signal());
    response.end();
  } else if (acceptsGzip(options.acceptEncoding)) {
    const bytes = bytesOf(body);
    const small = await gzipBody(bytes);
    if (small !== undefined) {
      answer.headers.set("content-encoding", "gzip");
      answer.headers.set("vary", "Accept-Encoding");
    }
    await sendWhole(response, answer, small ?? bytes, options);
  } else if (isChunkedText(body) && isLarge(body) && !options.isHead) {
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
  answer: ApiResponse,
  bytes: Uint8Array,
  { isHead, beforeEnd }: SendResponseOptions,
): Promise<void> {
  answer.headers.set("content-length", String(bytes.byteLength));
  if (response instanceof Http2ServerResponse) {
    // Bypasses the response object, which would delay the end of the stream for trailers.
    const { stream } = response;
    if (stream.destroyed) return;
    stream.respond({ ":status": answer.status, ...named(answer) }, { endStream: isHead });
    // Some responses end with the headers.
    if (!stream.writableEnded) await endWith(stream, bytes, beforeEnd);
    return;
  }
  writeHead(response, answer);
  if (isHead) response.end();
  else await endWith(response, bytes, beforeEnd);
}

async function endWith(to: Writable, bytes: Uint8Array, beforeEnd: SendResponseOptions["beforeEnd"]): Promise<void> {
  if (beforeEnd === undefined) {
    to.end(bytes);
    return;
  }
  to.write(bytes);
  await beforeEnd();
  if (!to.destroyed) to.end();
}

function named({ headers }: ApiResponse): Record<string, string | string[]> {
  const found: Record<string, string | string[]> = {};
  for (const [name, value] of headers) found[name] = typeof value === "string" ? value : [...value];
  return found;
}

function bytesOf(body: Exclude<ResponseBody, ReadableStream>): Uint8Array {
  if (body instanceof Uint8Array) return body;
  return Buffer.from(typeof body === "string" ? body : body.join(""), "utf8");
}

function writeHead(response: NodeResponse, answer: ApiResponse): void {
  // Both response classes have this method, but the overloads do not unify.
  (response as ServerResponse).writeHead(answer.status, named(answer));
  // A watch may be idle for long: the client must receive the headers at once.
  if (!answer.headers.has("content-length") && "flushHeaders" in response) response.flushHeaders();
}

/** Encodes chunks one after the other, because joining them first costs several times as much. */
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
  // Releases a watch at once, also while no read is pending.
  using _ = onAbort(signal, () => void reader.cancel().catch(() => {}));
  for (;;) {
    const { done, value } = await reader.read();
    if (done || signal.aborted) break;
    await write(response, value, signal);
    // Events of the same turn are sent in one chunk; a single event is not delayed.
    await yieldToEventLoop();
  }
}

/** Resolves when more data may be written, or when the client has disconnected. */
async function write(response: NodeResponse, chunk: Uint8Array, signal: AbortSignal): Promise<void> {
  // Both response classes have this method, but the overloads do not unify.
  if ((response as ServerResponse).write(chunk) || signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  response.once("drain", resolve);
  using _ = onAbort(signal, resolve);
  await promise;
  response.off("drain", resolve);
}
