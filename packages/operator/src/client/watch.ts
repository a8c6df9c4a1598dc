import { isAbort, parseJson, StatusError, toError, TransportError } from "@levelset/core";
import type { KubeObject } from "@levelset/core";
import { abortable } from "./abortable.ts";

/** What a watch tells. A bookmark only says how far the stream has come. */
export type WatchEvent<O extends KubeObject> =
  | { readonly type: "ADDED" | "MODIFIED" | "DELETED"; readonly object: O }
  | { readonly type: "BOOKMARK"; readonly resourceVersion: string };

/** Reads the newline-separated events of a watch response. An ERROR event ends it with the StatusError that it carries. */
export async function* watchEvents<O extends KubeObject>(
  response: Response,
  signal: AbortSignal | undefined,
): AsyncGenerator<WatchEvent<O>, void, undefined> {
  for await (const line of lines(response, signal)) yield readEvent<O>(line);
}

function readEvent<O extends KubeObject>(line: string): WatchEvent<O> {
  let event: unknown;
  try {
    event = parseJson(line);
  } catch (error) {
    throw new TransportError("a watch event is not JSON", { cause: error });
  }
  if (typeof event !== "object" || event === null || !("type" in event) || !("object" in event)) {
    throw new TransportError("a watch event has no type or no object");
  }
  const { type, object } = event;
  if (type === "ERROR") throw StatusError.fromResponse(statusCode(object), object);
  // The protocol promises an object of the watched kind here.
  const read = object as O;
  if (type === "BOOKMARK") return { type, resourceVersion: read.metadata.resourceVersion };
  if (type === "ADDED" || type === "MODIFIED" || type === "DELETED") return { type, object: read };
  throw new TransportError(`a watch event has the unknown type ${JSON.stringify(type)}`);
}

function statusCode(status: unknown): number {
  return typeof status === "object" && status !== null && "code" in status ? Number(status.code) : 500;
}

async function* lines(response: Response, signal: AbortSignal | undefined): AsyncGenerator<string, void, undefined> {
  if (response.body === null) return;
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const chunk = await abortable(reader.read(), signal);
      if (chunk.done) break;
      const parts = (rest + decoder.decode(chunk.value, { stream: true })).split("\n");
      rest = parts.pop() ?? "";
      yield* parts.filter((part) => part !== "");
    }
  } catch (error) {
    const cause = toError(error);
    throw isAbort(cause) ? cause : new TransportError(`the watch was cut: ${cause.message}`, { cause });
  } finally {
    // Releases the connection when the consumer leaves early; a stream that already ended or failed has nothing to cancel.
    reader.cancel().catch(() => {});
  }
  if (rest.trim() !== "") throw new TransportError("the watch was cut inside an event");
}
