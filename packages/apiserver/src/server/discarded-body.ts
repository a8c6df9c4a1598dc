import type { Readable } from "node:stream";
import type { Clock } from "@levelset/core";

/** More than any body that is sent by mistake; what exceeds it is cut off. */
const DISCARD_MAX_BYTES = 64 * 1024 * 1024;

/**
 * Reads what is left of the body of a request that is refused, and keeps none of it. Resolves at its end, after 64 MiB, or when the
 * client sends nothing for `discardMs`. The answer ends only then: a connection that is closed while its client still sends is
 * reset, and the reset discards an answer that the client has not read yet. The server of Go waits for the same reason
 * (net/http, closeWriteAndWait).
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
