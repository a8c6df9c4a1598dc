import type { Readable } from "node:stream";

/** How many bytes may wait for their reader before the server has to wait. */
const WAITING_MAX_BYTES = 1024 * 1024;

/** All that a body holds. */
export function wholeOf(body: Readable): Promise<Uint8Array<ArrayBuffer>> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array<ArrayBuffer>>();
  const pieces: Buffer<ArrayBuffer>[] = [];
  body.on("data", (piece: Buffer<ArrayBuffer>) => pieces.push(piece));
  body.on("error", reject);
  body.once("close", () => {
    // An error costs a look at the stack, and nearly all of them close after their end.
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
 * A body piece by piece, each lent to the reader until it asks for the next. Node's own iterator puts together what waits, and leaves
 * the pieces to the collector; it also takes several turns for each, and a server sends every event in one. Who stops early ends
 * the connection.
 */
export async function* piecesOf(body: Readable): AsyncGenerator<Uint8Array, void, undefined> {
  let waiting: Buffer<ArrayBuffer>[] = [];
  let bytes = 0;
  let end: { readonly error: Error | undefined } | undefined;
  let wake = (): void => {};
  const onEnd = (error?: Error): void => {
    end ??= { error };
    wake();
  };
  body.on("data", (piece: Buffer<ArrayBuffer>) => {
    waiting.push(piece);
    bytes += piece.byteLength;
    if (bytes > WAITING_MAX_BYTES) body.pause();
    wake();
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
        wake = resolve;
      });
    }
  } finally {
    body.destroy();
  }
}

function closed(): Error {
  return new Error("the connection was closed");
}

/** Gives the memory of a piece back at once. Left to the collector, the pieces of a long list pile up outside of its heap. */
function release({ buffer, byteLength }: Buffer<ArrayBuffer>): void {
  if (buffer.byteLength === byteLength) buffer.transfer(0);
}
