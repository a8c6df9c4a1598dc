import { ProtobufError } from "./wire.ts";

/** What `run` throws, unless it is a `ProtobufError` of one line. */
export function thrownUnlessProtobufError(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    const isOrderly = error instanceof ProtobufError && !error.message.includes("\n");
    return isOrderly ? undefined : error;
  }
  return undefined;
}
