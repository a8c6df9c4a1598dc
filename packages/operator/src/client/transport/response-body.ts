import type { Readable } from "node:stream";

/** Maximum number of buffered bytes before backpressure applies. */
const WAITING_MAX_BYTES = 1024 * 1024;

/** Reads a whole body. Rejects if the connection closes before its end. */
export function readAll(body: Readable): Promise<Uint8Array<ArrayBuffer>> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array<ArrayBuffer>>();
  const pieces: Buffer<ArrayBuffer>[] = [];
  body.on("data", (piece: Buffer<ArrayBuffer>) => pieces.push(piece));
  body.on("error", reject);
  body.once("close", () => {
    // Creating an error is costly, and nearly all bodies close after their end.
    if (!body.readableEnded) reject(closed());
  });
  body.once("end", () => {
    const [first = Buffer.alloc(0)] = pieces;
    if (pieces.length < 2) return resolve(first);
    resolve(Buffer.concat(pieces));
    pieces.forEach(release);
  });
  return promise;
}

/**
 * Yields a body in chunks; each chunk is valid until the next one is requested. Unlike Node's iterator, it does not
 * concatenate buffered chunks, frees their memory at once, and needs fewer event loop turns per chunk. Stopping early
 * closes the connection. Rejects if the connection closes before the end of the body.
 */
export async function* readChunks(body: Readable): AsyncGenerator<Uint8Array, void, undefined> {
  let waiting: Buffer<ArrayBuffer>[] = [];
  let bytes = 0;
  let end: { readonly error: Error | undefined } | undefined;
  let notify = (): void => {};
  const onEnd = (error?: Error): void => {
    end ??= { error };
    notify();
  };
  body.on("data", (piece: Buffer<ArrayBuffer>) => {
    waiting.push(piece);
    bytes += piece.byteLength;
    if (bytes > WAITING_MAX_BYTES) body.pause();
    notify();
  });
  body.once("end", () => onEnd());
  body.on("error", onEnd);
  body.once("close", () => onEnd(closed()));
  if (body.destroyed) onEnd(body.errored ?? closed());
  try {
    for (;;) {
      const taken = waiting;
      waiting = [];
      bytes = 0;
      for (const piece of taken) {
        yield piece;
        release(piece);
      }
      if (waiting.length > 0) continue;
      if (end?.error !== undefined) throw end.error;
      if (end !== undefined) return;
      body.resume();
      await new Promise<void>((resolve) => {
        notify = resolve;
      });
    }
  } finally {
    body.destroy();
  }
}

function closed(): Error {
  return new Error("the connection was closed");
}

/**
 * Frees the memory of a chunk at once. Otherwise, the chunks of a long list accumulate in external memory until garbage
 * collection.
 */
function release({ buffer, byteLength }: Buffer<ArrayBuffer>): void {
  if (buffer.byteLength === byteLength) buffer.transfer(0);
}
