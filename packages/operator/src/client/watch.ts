import { abortError, parseJson, toError } from "@levelset/core/internal";
import { isAbortError, StatusError, TransportError } from "@levelset/core";
import type { Kind, ObjectOf } from "@levelset/core";
import type { WatchEvent } from "../watch/index.ts";
import { typedObject } from "./response-object.ts";
import type { RawResponse } from "./transport/raw-fetch.ts";

/**
 * Yields the newline-separated events of a watch, all events of a chunk together. Rejects with the `StatusError` of an
 * ERROR event, after the events before it, and with a `TransportError` if the stream is cut inside an event or an event
 * is invalid.
 */
export async function* watchEvents<K extends Kind>(
  kind: K,
  response: RawResponse,
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly WatchEvent<ObjectOf<K>>[], void, undefined> {
  for await (const lines of lineBatches(response, signal)) {
    const events: WatchEvent<ObjectOf<K>>[] = [];
    let failure: Error | undefined;
    for (const line of lines) {
      const event = readEvent(kind, line);
      if (event instanceof Error) {
        failure = event;
        break;
      }
      events.push(event);
    }
    if (events.length > 0) yield events;
    if (failure !== undefined) throw failure;
  }
}

function readEvent<K extends Kind>(kind: K, line: string): WatchEvent<ObjectOf<K>> | Error {
  let event: unknown;
  try {
    event = parseJson(line);
  } catch (error) {
    return new TransportError("a watch event is not JSON", { cause: error });
  }
  if (typeof event !== "object" || event === null || !("type" in event) || !("object" in event)) {
    return new TransportError("a watch event has no type or no object");
  }
  const { type, object } = event;
  if (type === "ERROR") return StatusError.fromResponse(statusCode(object), object);
  const read = typedObject<ObjectOf<K>>(kind, object);
  if (type === "ADDED" || type === "MODIFIED" || type === "DELETED") return { type, object: read };
  if (type !== "BOOKMARK") return new TransportError(`a watch event has the unknown type ${JSON.stringify(type)}`);
  const { resourceVersion, annotations } = read.metadata;
  return { type, resourceVersion, endsInitial: annotations?.["k8s.io/initial-events-end"] === "true" };
}

function statusCode(status: unknown): number {
  return typeof status === "object" && status !== null && "code" in status ? Number(status.code) : 500;
}

async function* lineBatches(
  response: RawResponse,
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly string[], void, undefined> {
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for await (const chunk of response.chunks()) {
      const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = parts.pop() ?? "";
      const whole = parts.filter((part) => part !== "");
      if (whole.length > 0) yield whole;
    }
  } catch (error) {
    if (signal?.aborted === true) throw abortError(signal);
    const cause = toError(error);
    throw isAbortError(cause) ? cause : new TransportError(`the watch was cut: ${cause.message}`, { cause });
  }
  if (rest.trim() !== "") throw new TransportError("the watch was cut inside an event");
}
