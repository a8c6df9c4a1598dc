import { InputError, isAbort, isJsonObject, parseJson, TransportError } from "@levelset/core";
import type { Clock, JsonObject } from "@levelset/core";
import { EventStreamParser } from "./event-stream.ts";
import type { StreamEvent } from "./event-stream.ts";
import { openStream, reopenAfterMs } from "./exchange.ts";
import type { ExchangeWorld } from "./exchange.ts";
import { isProblem } from "./problem.ts";
import { TimeLimit } from "./time-limit.ts";
import type { WireResource } from "./wire.ts";

/**
 * What a watch tells. First every resource that there is, then `synced`, then changes: states, not steps. `synced` comes again after
 * every connection that broke. `restarted` says that the place was lost: what follows begins with every resource again, and whatever is
 * not among them until `synced` is gone.
 */
export type WatchEvent<Spec extends JsonObject = JsonObject> =
  | { readonly kind: "present"; readonly resource: WireResource<Spec> }
  | { readonly kind: "gone"; readonly resource: WireResource<Spec> }
  | { readonly kind: "synced" }
  | { readonly kind: "restarted" };

const EVENT_STREAM = "text/event-stream";

/** What to watch. */
export interface WatchRequest {
  /** Path and query. */
  readonly path: string;
  /** Where to go on: the position of an earlier event. */
  readonly after?: string;
  /**
   * Whether the query selects resources. A server that resumes such a watch does not know what its client holds, so it reports every
   * resource that does not match as gone; those that were never shown are ignored.
   */
  readonly isSelective?: boolean;
  /** After how long without a sign the connection is taken for dead. */
  readonly idleMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Follows resources for as long as it is read from. Connections that break are opened again where they were, however long it takes. */
export async function* watch<Spec extends JsonObject>(
  world: ExchangeWorld,
  request: WatchRequest,
): AsyncGenerator<WatchEvent<Spec>, void, undefined> {
  let position = request.after ?? "";
  let failures = 0;
  let hasTold = false;
  const shown = request.isSelective === true && position === "" ? new ShownIds() : undefined;
  for (;;) {
    try {
      for await (const event of events(world, request, position)) {
        if (event.event === "expired") throw new ExpiredPosition();
        if (event.id !== "") position = event.id;
        failures = 0;
        const told = readEvent<Spec>(event);
        hasTold = true;
        if (told !== undefined && shown?.isUnknown(told) !== true) yield told;
      }
    } catch (error) {
      if (error instanceof ExpiredPosition || isProblem(error, "expired")) {
        if (position === "" && !hasTold) throw error;
        position = "";
      } else if (isAbort(error) || !isPassing(error)) throw error;
    }
    // Nobody can go on in the midst of the first list: it is told from its beginning.
    if (position === "" && hasTold) {
      hasTold = false;
      shown?.clear();
      yield { kind: "restarted" };
    }
    await world.clock.sleep(reopenAfterMs(world.random, failures), request.signal);
    failures += 1;
  }
}

/** The ids that a watch has shown as present. */
class ShownIds {
  readonly #ids = new Set<string>();

  /** Whether an event is about the deletion of a resource that was not present before. Remembers the event. */
  isUnknown(event: WatchEvent): boolean {
    if (event.kind === "present") this.#ids.add(event.resource.id);
    return event.kind === "gone" && !this.#ids.delete(event.resource.id);
  }

  clear(): void {
    this.#ids.clear();
  }
}

/** Whether the same may succeed later: there is no server, or it has no time. */
function isPassing(error: unknown): boolean {
  return error instanceof TransportError || isProblem(error, "busy");
}

/** The server no longer knows what happened since our position. */
class ExpiredPosition extends Error {}

/** The events of one connection. Rejects with a `TransportError` when it breaks or falls silent; returns when the server ends it. */
async function* events(
  world: ExchangeWorld,
  { path, idleMs, signal }: WatchRequest,
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
    // Hangs up. Nobody waits for it: a connection that is dead may not even take that.
    void reader.cancel().catch(() => {});
  }
}

/** Servers that do not know the parameter `watch` answer with a list; opening it again and again would be a poll. */
function checkEventStream(response: Response, path: string): void {
  const type = (response.headers.get("content-type") ?? EVENT_STREAM).split(";", 1)[0]?.trim();
  if (type === EVENT_STREAM) return;
  void response.body?.cancel().catch(() => {}); // a connection that is dead already
  throw new InputError(`GET ${path.split("?", 1)[0]}: the server does not support watches: it sent ${type}`, {
    hint: "check that the address is that of a fleet's API, and its version",
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
  using limit = new TimeLimit({ clock, ms: idleMs, outer: signal, message: `the watch was silent for ${idleMs} ms` });
  try {
    return await limit.race(reader.read());
  } catch (error) {
    if (signal?.aborted === true || error instanceof TransportError) throw error;
    throw new TransportError("the watch broke off", { cause: error });
  }
}

/** What an event says; undefined for those of later versions. */
function readEvent<Spec extends JsonObject>({ event, data }: StreamEvent): WatchEvent<Spec> | undefined {
  if (event === "synced") return { kind: "synced" };
  if (event !== "present" && event !== "gone") return undefined;
  const resource: unknown = parseJson(data);
  if (!isJsonObject(resource)) throw new TransportError(`the watch sent a ${event} without a resource`);
  // The API's own shape; what it is not, no client could make up for.
  return { kind: event, resource: resource as unknown as WireResource<Spec> };
}
