import type { ServerResponse } from "node:http";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { ApiResponse } from "./request-dispatcher.ts";

const compress = promisify(gzip);

/** Smaller bodies are not compressed. */
const GZIP_BYTES_MIN = 1_024;

/** Sends a response. Resolves when it is sent or the client disconnected. */
export async function sendResponse(
  response: ServerResponse,
  { status, headers, body, abort }: ApiResponse,
  acceptEncoding: string | undefined,
): Promise<void> {
  if (body === undefined) return end(response.writeHead(status, headers));
  if (typeof body !== "string") return stream(response.writeHead(status, headers), body, abort);
  const bytes = Buffer.from(body);
  if (bytes.length < GZIP_BYTES_MIN || !acceptsGzip(acceptEncoding)) {
    return end(response.writeHead(status, { ...headers, "content-length": bytes.length }), bytes);
  }
  const packed = await compress(bytes);
  const described = { ...headers, "content-encoding": "gzip", "content-length": packed.length };
  return end(response.writeHead(status, described), packed);
}

function end(response: ServerResponse, bytes?: Buffer): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  // A socket that is already destroyed emits no further events.
  if (response.destroyed) resolve();
  response.once("close", resolve);
  response.end(bytes, () => resolve());
  return promise;
}

/** Sends chunks as they arrive, with backpressure. Ends when the client disconnects or the chunks end. */
async function stream(
  response: ServerResponse,
  chunks: AsyncIterable<string>,
  abort: AbortSignal | undefined,
): Promise<void> {
  abort?.addEventListener("abort", () => response.destroy(), { once: true });
  response.flushHeaders();
  for await (const chunk of chunks) {
    if (response.destroyed) break;
    if (!response.write(chunk)) await drained(response);
  }
  return end(response);
}

function drained(response: ServerResponse): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const settle = (): void => {
    response.off("drain", settle).off("close", settle);
    resolve();
  };
  response.on("drain", settle).on("close", settle);
  return promise;
}

/** Returns true if an `Accept-Encoding` header allows gzip. */
export function acceptsGzip(acceptEncoding: string | undefined): boolean {
  return (acceptEncoding ?? "").split(",").some((part) => {
    const [name = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? "1";
    return name === "gzip" && Number(quality) > 0;
  });
}
