import { Readable } from "node:stream";
import type { HttpRequest } from "./http-handler.ts";

/** The body of a request exceeds the limit. The response to it should have status 413. */
export class BodyTooLargeError extends Error {
  override readonly name = "BodyTooLargeError";

  constructor(bytesMax: number) {
    super(`the body exceeds ${bytesMax} bytes`);
  }
}

/** Reads the body of a request. Throws a `BodyTooLargeError` before it buffers more than `bytesMax`. */
export async function readBody({ headers, body }: HttpRequest, bytesMax: number): Promise<Buffer> {
  if (Number(headers.get("content-length") ?? 0) > bytesMax) throw new BodyTooLargeError(bytesMax);
  if (body === null) return Buffer.alloc(0);
  if (body instanceof Readable) return readStream(body, bytesMax);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > bytesMax) throw new BodyTooLargeError(bytesMax);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * Reads a Node stream by events, which cost a fraction of its iterator. Stops at the size limit. The stream may outlive
 * the request, so its listeners must not retain the buffered data.
 */
function readStream(stream: Readable, bytesMax: number): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const settle = (conclude: () => void): void => {
    stream.off("data", onData).off("end", onEnd).off("error", onError).off("close", onClose);
    conclude();
  };
  const onData = (chunk: Uint8Array): void => {
    size += chunk.byteLength;
    chunks.push(chunk);
    if (size <= bytesMax) return;
    stream.pause();
    settle(() => reject(new BodyTooLargeError(bytesMax)));
  };
  const onEnd = (): void => settle(() => resolve(Buffer.concat(chunks)));
  const onError = (error: Error): void => settle(() => reject(error));
  // The client closed the connection, so the response is not needed.
  const onClose = (): void => settle(() => reject(new DOMException("the request was aborted", "AbortError")));
  if (stream.closed) onClose();
  else stream.on("data", onData).on("end", onEnd).on("error", onError).on("close", onClose);
  return promise;
}
