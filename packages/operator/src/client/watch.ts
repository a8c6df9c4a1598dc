import { isAbort, parseJson, StatusError, toError, TransportError } from "@levelset/core";
import type { Kind, ObjectOf } from "@levelset/core";
import type { WatchEvent } from "../watch/index.ts";
import { abortError } from "./abortable.ts";
import { typed } from "./answer.ts";
import type { DirectAnswer } from "./direct.ts";

/**
 * Reads the newline-separated events of a watch, as many at a time as one chunk brings. An ERROR event ends it with the
 * StatusError that it carries, after the events before it.
 */
export async function* watchEvents<K extends Kind>(
  kind: K,
  answer: DirectAnswer,
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly WatchEvent<ObjectOf<K>>[], void, undefined> {
  for await (const lines of lineBatches(answer, signal)) {
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
  const read = typed<ObjectOf<K>>(kind, object);
  if (type === "ADDED" || type === "MODIFIED" || type === "DELETED") return { type, object: read };
  if (type !== "BOOKMARK") return new TransportError(`a watch event has the unknown type ${JSON.stringify(type)}`);
  const { resourceVersion, annotations } = read.metadata;
  return { type, resourceVersion, endsInitial: annotations?.["k8s.io/initial-events-end"] === "true" };
}

function statusCode(status: unknown): number {
  return typeof status === "object" && status !== null && "code" in status ? Number(status.code) : 500;
}

async function* lineBatches(
  answer: DirectAnswer,
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly string[], void, undefined> {
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for await (const chunk of answer.chunks()) {
      const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = parts.pop() ?? "";
      const whole = parts.filter((part) => part !== "");
      if (whole.length > 0) yield whole;
    }
  } catch (error) {
    if (signal?.aborted === true) throw abortError(signal);
    const cause = toError(error);
    throw isAbort(cause) ? cause : new TransportError(`the watch was cut: ${cause.message}`, { cause });
  }
  if (rest.trim() !== "") throw new TransportError("the watch was cut inside an event");
}
