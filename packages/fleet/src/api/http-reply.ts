import type { ServerResponse } from "node:http";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { ApiAnswer } from "./dispatcher.ts";

const compress = promisify(gzip);

/** Bodies smaller than this are not worth compressing. */
const GZIP_BYTES_MIN = 1_024;

/** Sends an answer. Resolves when it is sent, or the caller has left. */
export async function send(
  response: ServerResponse,
  { status, headers, body, cut }: ApiAnswer,
  acceptEncoding: string | undefined,
): Promise<void> {
  if (body === undefined) return end(response.writeHead(status, headers));
  if (typeof body !== "string") return stream(response.writeHead(status, headers), body, cut);
  const bytes = Buffer.from(body);
  if (bytes.length < GZIP_BYTES_MIN || !takesGzip(acceptEncoding)) {
    return end(response.writeHead(status, { ...headers, "content-length": bytes.length }), bytes);
  }
  const packed = await compress(bytes);
  const described = { ...headers, "content-encoding": "gzip", "content-length": packed.length };
  return end(response.writeHead(status, described), packed);
}

function end(response: ServerResponse, bytes?: Buffer): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  // A connection that is gone already tells nobody.
  if (response.destroyed) resolve();
  response.once("close", resolve);
  response.end(bytes, () => resolve());
  return promise;
}

/** Sends pieces as they come, as fast as they are read. Ends with the caller or with the pieces, whichever is first. */
async function stream(
  response: ServerResponse,
  chunks: AsyncIterable<string>,
  cut: AbortSignal | undefined,
): Promise<void> {
  cut?.addEventListener("abort", () => response.destroy(), { once: true });
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

/** Whether a caller takes gzip, by its `Accept-Encoding`. */
export function takesGzip(acceptEncoding: string | undefined): boolean {
  return (acceptEncoding ?? "").split(",").some((part) => {
    const [name = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? "1";
    return name === "gzip" && Number(quality) > 0;
  });
}
