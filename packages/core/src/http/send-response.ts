import type { ServerResponse } from "node:http";
import type { Http2ServerResponse } from "node:http2";
import type { Writable } from "node:stream";
import { onAbort } from "../async/index.ts";
import { gzipBody } from "./gzip.ts";
import { isStream } from "./http-handler.ts";
import type { HttpBody, HttpResponse } from "./http-handler.ts";

/** A response of HTTP/1.1 or HTTP/2. */
export type NodeResponse = ServerResponse | Http2ServerResponse;

/** Decides which whole bodies are compressed with gzip. Streams are never compressed. */
export interface Compression {
  /** Smaller bodies are not compressed. */
  readonly bytesMin: number;
  /** Whether an `Accept-Encoding` header allows gzip. */
  readonly accepts: (acceptEncoding: string | undefined) => boolean;
}

/** Options of {@link sendResponse}. */
export interface SendResponseOptions {
  readonly isHead: boolean;
  /** Whether the connection ends after the response. */
  readonly isLast: boolean;
  readonly acceptEncoding: string | undefined;
  readonly compression: Compression | undefined;
  /** Aborts when the client disconnects. Called only if the response has to wait. */
  readonly signal: () => AbortSignal;
  /** Aborts the signal, because a stream is not sent. */
  readonly cancel: () => void;
  /** Resolves when the response may end. The body is sent before. Default: at once. */
  readonly beforeEnd?: (() => Promise<void>) | undefined;
}

type SentHeaders = Record<string, string | string[]>;

/** Text chunks are encoded and sent together up to about this length. */
const CHUNK_LENGTH = 256 * 1024;
/** Maximum UTF-8 bytes per UTF-16 code unit. */
const UTF8_MAX = 3;

/** Sends a response with backpressure. Resolves when all of it is handed over to Node. */
export async function sendResponse(
  response: NodeResponse,
  { status, headers: given, body }: HttpResponse,
  options: SendResponseOptions,
): Promise<void> {
  const headers = sentHeaders(given);
  if (options.isLast) headers["connection"] = "close";
  if (isStream(body)) {
    writeHead(response, status, headers);
    if (options.isHead) {
      options.cancel();
      await body[Symbol.asyncIterator]().return?.();
    } else await sendStream(response, body, options.signal());
    response.end();
  } else if (options.compression?.accepts(options.acceptEncoding) === true) {
    await sendWhole(response, status, headers, await compressed(bytesOf(body), headers, options.compression), options);
  } else if (Array.isArray(body) && isLarge(body) && !options.isHead) {
    writeHead(response, status, headers);
    await sendPieces(response, body, options.signal());
    response.end();
  } else {
    await sendWhole(response, status, headers, bytesOf(body), options);
  }
}

/** Node writes header characters as latin1. Text beyond ASCII is sent as UTF-8, as it is received. */
function sentHeaders(headers: HttpResponse["headers"]): SentHeaders {
  const found: SentHeaders = {};
  for (const [name, value] of headers) {
    const before = found[name];
    const encoded = typeof value === "string" ? headerBytes(value) : value.map(headerBytes);
    found[name] = before === undefined ? encoded : [before, encoded].flat();
  }
  return found;
}

function headerBytes(text: string): string {
  // oxlint-disable-next-line no-control-regex -- the range is all of ASCII
  return /^[\u0000-\u007f]*$/.test(text) ? text : Buffer.from(text, "utf8").toString("latin1");
}

async function compressed(bytes: Uint8Array, headers: SentHeaders, { bytesMin }: Compression): Promise<Uint8Array> {
  if (bytes.byteLength < bytesMin) return bytes;
  headers["content-encoding"] = "gzip";
  headers["vary"] ??= "Accept-Encoding";
  return gzipBody(bytes);
}

function isLarge(pieces: readonly string[]): boolean {
  return pieces.reduce((sum, piece) => sum + piece.length, 0) > CHUNK_LENGTH;
}

async function sendWhole(
  response: NodeResponse,
  status: number,
  headers: SentHeaders,
  bytes: Uint8Array,
  { isHead, beforeEnd }: SendResponseOptions,
): Promise<void> {
  // A response with status 204 must not have it (RFC 9110).
  if (status !== 204) headers["content-length"] = String(bytes.byteLength);
  if ("stream" in response) {
    // Bypasses the response object, which would delay the end of the stream for trailers.
    const { stream } = response;
    if (stream.destroyed) return;
    stream.respond({ ":status": status, ...headers }, { endStream: isHead });
    // Some responses end with the headers.
    if (!stream.writableEnded) await endWith(stream, bytes, beforeEnd);
    return;
  }
  writeHead(response, status, headers);
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

function bytesOf(body: Exclude<HttpBody, AsyncIterable<unknown>>): Uint8Array {
  if (body instanceof Uint8Array) return body;
  return Buffer.from(typeof body === "string" ? body : (body ?? []).join(""), "utf8");
}

function writeHead(response: NodeResponse, status: number, headers: SentHeaders): void {
  // Both response classes have this method, but the overloads do not unify.
  (response as ServerResponse).writeHead(status, headers);
  // A stream may be idle for long: the client must receive the headers at once.
  if (!("content-length" in headers) && "flushHeaders" in response) response.flushHeaders();
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
  body: AsyncIterable<string | Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  // A reader of a web stream can cancel a pending read; an iterator has to watch the signal of its request.
  const reader = body instanceof ReadableStream ? body.getReader() : undefined;
  const cancel = (): void => void reader?.cancel().catch(() => {});
  using _ = onAbort(signal, cancel);
  try {
    for await (const chunk of reader === undefined ? body : chunksOf(reader)) {
      if (signal.aborted) break;
      await write(response, chunk, signal);
      // The web streams of watches join the events of a turn; a single event is not delayed.
      if (reader !== undefined) await new Promise((resolve) => setImmediate(resolve));
    }
  } finally {
    cancel();
  }
}

async function* chunksOf(reader: ReadableStreamDefaultReader<Uint8Array>): AsyncGenerator<Uint8Array> {
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

/** Resolves when more data may be written, or when the client has disconnected. */
async function write(response: NodeResponse, chunk: string | Uint8Array, signal: AbortSignal): Promise<void> {
  // Both response classes have this method, but the overloads do not unify.
  if ((response as ServerResponse).write(chunk) || signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  response.once("drain", resolve);
  using _ = onAbort(signal, resolve);
  await promise;
  response.off("drain", resolve);
}
