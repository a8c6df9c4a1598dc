import type { Readable } from "node:stream";
import type { Clock } from "../time/index.ts";

/** Far more than any body sent by mistake; the rest is cut off. */
const DISCARD_MAX_BYTES = 64 * 1024 * 1024;

/**
 * Reads and discards the rest of the body of a rejected request. Resolves at its end, after 64 MiB, or when the client
 * sends nothing for `discardMs`. The response ends only then: closing a connection while the client is sending resets
 * it, and the reset discards a response that the client has not read. Go's net/http waits for the same reason
 * (closeWriteAndWait).
 */
export async function discardBody(
  body: Readable,
  { clock, discardMs }: { readonly clock: Clock; readonly discardMs: number },
): Promise<void> {
  if (body.destroyed || body.readableEnded) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  let size = 0;
  let timer = clock.after(discardMs, resolve);
  const onData = (piece: Uint8Array): void => {
    size += piece.byteLength;
    if (size > DISCARD_MAX_BYTES) return resolve();
    timer.cancel();
    timer = clock.after(discardMs, resolve);
  };
  body.on("data", onData).once("end", resolve).once("close", resolve).once("error", resolve);
  body.resume();
  await promise;
  timer.cancel();
  body.off("data", onData).off("end", resolve).off("close", resolve).off("error", resolve);
}
