import { InputError, isAbortError, isJsonObject, TransportError } from "@levelset/core";
import { LinkedAbortController, parseJson } from "@levelset/core/internal";
import type { Clock, JsonObject } from "@levelset/core";
import { EventStreamParser } from "./event-stream.ts";
import type { StreamEvent } from "./event-stream.ts";
import { openStream, reopenAfterMs } from "./fleet-request.ts";
import type { HttpContext } from "./fleet-request.ts";
import { isFleetApiError } from "./fleet-api-error.ts";
import type { WireResource } from "./wire.ts";

/**
 * An event of a watch. First all existing resources, then `synced`, then changes (states, not individual changes).
 * `synced` is repeated after every reconnect. `restarted`: the position was lost; all resources follow again, and a
 * resource that is missing until `synced` is gone.
 */
export type FleetWatchEvent<Spec extends JsonObject = JsonObject> =
  | { readonly kind: "present"; readonly resource: WireResource<Spec> }
  | { readonly kind: "gone"; readonly resource: WireResource<Spec> }
  | { readonly kind: "synced" }
  | { readonly kind: "restarted" };

const EVENT_STREAM = "text/event-stream";

/** Selects resources to watch. */
export interface FleetWatchRequest {
  /** Path and query. */
  readonly path: string;
  /** The position of an earlier event to resume from. */
  readonly after?: string;
  /**
   * Whether the query filters resources. A server that resumes such a watch does not know what its client has, so it
   * reports every non-matching resource as gone; those never shown are ignored.
   */
  readonly isSelective?: boolean;
  /** After how long without data the connection counts as dead. */
  readonly idleMs: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Watches resources until the caller stops iterating. Broken connections are resumed at the last position, without a
 * time limit. Rejects with `FleetApiError` for a permanent error response.
 */
export async function* watchResources<Spec extends JsonObject>(
  world: HttpContext,
  request: FleetWatchRequest,
): AsyncGenerator<FleetWatchEvent<Spec>, void, undefined> {
  let position = request.after ?? "";
  let failures = 0;
  let hasReported = false;
  const shownIds = request.isSelective === true && position === "" ? new ShownIds() : undefined;
  for (;;) {
    try {
      for await (const event of events(world, request, position)) {
        if (event.event === "expired") throw new ExpiredPosition();
        if (event.id !== "") position = event.id;
        failures = 0;
        const reported = readEvent<Spec>(event);
        hasReported = true;
        if (reported !== undefined && shownIds?.isUnknown(reported) !== true) yield reported;
      }
    } catch (error) {
      if (error instanceof ExpiredPosition || isFleetApiError(error, "expired")) {
        if (position === "" && !hasReported) throw error;
        position = "";
      } else if (isAbortError(error) || !isTransient(error)) throw error;
    }
    // The initial list has no positions to resume from: it restarts from the beginning.
    if (position === "" && hasReported) {
      hasReported = false;
      shownIds?.clear();
      yield { kind: "restarted" };
    }
    await world.clock.sleep(reopenAfterMs(world.random, failures), request.signal);
    failures += 1;
  }
}

/** The IDs that a watch has shown as present. */
class ShownIds {
  readonly #ids = new Set<string>();

  /** Returns true for the deletion of a resource that was not present before. Records the event. */
  isUnknown(event: FleetWatchEvent): boolean {
    if (event.kind === "present") this.#ids.add(event.resource.id);
    return event.kind === "gone" && !this.#ids.delete(event.resource.id);
  }

  clear(): void {
    this.#ids.clear();
  }
}

/** Returns true if a retry may succeed: the server is unreachable or busy. */
function isTransient(error: unknown): boolean {
  return error instanceof TransportError || isFleetApiError(error, "busy");
}

/** The position has expired on the server. */
class ExpiredPosition extends Error {}

/**
 * Yields the events of one connection. Rejects with a `TransportError` when it breaks or is idle for too long; returns
 * when the server ends it.
 */
async function* events(
  world: HttpContext,
  { path, idleMs, signal }: FleetWatchRequest,
  position: string,
): AsyncGenerator<StreamEvent, void, undefined> {
  const headers = { accept: EVENT_STREAM, ...(position === "" ? {} : { "last-event-id": position }) };
  const response = await openStream(world, { method: "GET", path, headers, signal });
  checkEventStream(response, path);
  const parser = new EventStreamParser();
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  try {
    for (;;) {
      const { done, value } = await nextChunk(reader, { clock: world.clock, idleMs, signal });
      if (done) return;
      yield* parser.push(decoder.decode(value, { stream: true }));
    }
  } finally {
    // Closes the connection without waiting: a dead connection may never respond.
    void reader.cancel().catch(() => {});
  }
}

/** Servers without watch support return a list; reopening it repeatedly would be polling. */
function checkEventStream(response: Response, path: string): void {
  const type = (response.headers.get("content-type") ?? EVENT_STREAM).split(";", 1)[0]?.trim();
  if (type === EVENT_STREAM) return;
  void response.body?.cancel().catch(() => {}); // a connection that is dead already
  throw new InputError(`GET ${path.split("?", 1)[0]}: the server does not support watches: it sent ${type}`, {
    hint: "check the URL and version of the fleet API",
  });
}

interface Chunk {
  readonly done: boolean;
  readonly value?: Uint8Array | undefined;
}

async function nextChunk(
  reader: { read(): Promise<Chunk> },
  {
    clock,
    idleMs,
    signal,
  }: { readonly clock: Clock; readonly idleMs: number; readonly signal: AbortSignal | undefined },
): Promise<Chunk> {
  const error = (): Error => new TransportError(`no data from the watch for ${idleMs} ms`);
  using limit = new LinkedAbortController([signal], { clock, ms: idleMs, error });
  try {
    return await limit.race(reader.read());
  } catch (error) {
    if (signal?.aborted === true || error instanceof TransportError) throw error;
    throw new TransportError("the watch connection broke", { cause: error });
  }
}

/** Parses an event; undefined for unknown event types of later versions. */
function readEvent<Spec extends JsonObject>({ event, data }: StreamEvent): FleetWatchEvent<Spec> | undefined {
  if (event === "synced") return { kind: "synced" };
  if (event !== "present" && event !== "gone") return undefined;
  const resource: unknown = parseJson(data);
  if (!isJsonObject(resource)) throw new TransportError(`the watch sent a ${event} event without a resource`);
  // The API's own type; a client cannot repair a malformed response.
  return { kind: event, resource: resource as unknown as WireResource<Spec> };
}
