/**
 * Waits for a resource: one read, then a watch of this resource only. Sends no requests between changes.
 *
 * The watch starts with the current state, so a change between the read and the watch is not missed. A broken watch
 * resumes at its position; one whose position has expired restarts, and a resource missing from its list is deleted.
 */
import type { JsonObject } from "@levelset/core";
import { isFleetApiError } from "./fleet-api-error.ts";
import type { FleetWatchEvent } from "./watch.ts";
import { deletedProgress, waitProgress } from "./wait-progress.ts";
import type { WaitCriteria, FleetWaitGoal, FleetWaitProgress } from "./wait-progress.ts";
import type { WireResource } from "./wire.ts";

/** Options of a wait. */
export interface FleetWaitOptions<Spec extends JsonObject = JsonObject> {
  readonly signal?: AbortSignal | undefined;
  /**
   * `ready` for the latest generation; `available`: Available is True for any generation; or `deleted`: the resource
   * with this ID does not exist, even if another one has its name. Default: ready.
   */
  readonly for?: FleetWaitGoal;
  /** After how long without data the connection counts as dead. Default 60 s. */
  readonly idleMs?: number;
  /** The oldest accepted generation: the one that the client's own write returned. Default: any. */
  readonly generation?: number | undefined;
  /**
   * Called with every state that is read, including the last. The watch continues when it resolves; an error ends the
   * wait.
   */
  readonly onProgress?: ((progress: FleetWaitProgress<Spec>) => void | Promise<void>) | undefined;
}

/** The resource can no longer reach the goal: it was deleted or is being deleted. */
export class FleetWaitError extends Error {
  override readonly name = "FleetWaitError";
  readonly progress: FleetWaitProgress;

  constructor(progress: FleetWaitProgress, goal: string) {
    const { resource, state, message } = progress;
    const why = state === "Deleting" ? `is being deleted (${message})` : message;
    super(`${resource.kind} ${resource.name} does not become ${goal}: it ${why}`);
    this.progress = progress;
  }
}

/** The collection methods that a wait uses. */
interface WaitSource<Spec extends JsonObject> {
  get(
    id: string,
    options: { readonly signal: AbortSignal | undefined },
  ): Promise<{ readonly resource: WireResource<Spec> }>;
  watch(options: {
    readonly search: string;
    readonly idleMs?: number;
    readonly signal: AbortSignal | undefined;
  }): AsyncIterable<FleetWatchEvent<Spec>>;
}

/** The phase of a watch: in its initial list, or after it. */
type WatchPhase = { readonly kind: "listing"; readonly isListed: boolean } | { readonly kind: "watching" };

const LISTING: WatchPhase = { kind: "listing", isListed: false };

/** The state of the resource according to a watch event. */
interface Observation<Spec extends JsonObject> {
  readonly phase: WatchPhase;
  readonly observed:
    | { readonly kind: "present"; readonly resource: WireResource<Spec> }
    | { readonly kind: "deleted" }
    | undefined;
}

/** Processes a watch event. Ignores events of other resources. */
function observeEvent<Spec extends JsonObject>(
  phase: WatchPhase,
  event: FleetWatchEvent<Spec>,
  id: string,
): Observation<Spec> {
  switch (event.kind) {
    case "restarted":
      return { phase: LISTING, observed: undefined };
    case "synced": {
      const isMissing = phase.kind === "listing" && !phase.isListed;
      return { phase: { kind: "watching" }, observed: isMissing ? { kind: "deleted" } : undefined };
    }
    case "present":
    case "gone": {
      const { resource } = event;
      if (resource.id !== id) return { phase, observed: undefined };
      const listed: WatchPhase = phase.kind === "listing" ? { kind: "listing", isListed: true } : phase;
      return {
        phase: listed,
        observed: event.kind === "present" ? { kind: "present", resource } : { kind: "deleted" },
      };
    }
  }
}

/**
 * Waits until a resource meets the goal and returns its last state; undefined for a deletion that was complete at the
 * first read. Rejects with `notFound` if it does not exist, and with a `FleetWaitError` if it can no longer reach the goal.
 */
export async function waitFor<Spec extends JsonObject>(
  collection: WaitSource<Spec>,
  id: string,
  criteria: WaitCriteria,
  { idleMs, signal, onProgress = () => {} }: FleetWaitOptions<Spec>,
): Promise<FleetWaitProgress<Spec> | undefined> {
  const first = await readFirst(collection, id, criteria, signal);
  if (first === undefined) return undefined;
  let progress = waitProgress(first, criteria);
  await onProgress(progress);
  if (isFinal(progress)) return settled(progress, criteria);
  let phase: WatchPhase = LISTING;
  const search = `id = '${id.replaceAll("'", "''")}'`;
  const watching = { search, signal, ...(idleMs === undefined ? {} : { idleMs }) };
  for await (const event of collection.watch(watching)) {
    const { phase: next, observed } = observeEvent(phase, event, id);
    phase = next;
    // An event that is older than the last read is outdated.
    if (observed === undefined || (observed.kind === "present" && observed.resource.generation < progress.generation))
      continue;
    progress =
      observed.kind === "present"
        ? waitProgress(observed.resource, criteria)
        : deletedProgress(progress.resource, criteria);
    await onProgress(progress);
    if (isFinal(progress)) return settled(progress, criteria);
  }
  throw new TypeError("the watch ended unexpectedly"); // it ends with a result or an error only
}

/** Returns the current resource; undefined if it is deleted and the wait is for that. */
async function readFirst<Spec extends JsonObject>(
  collection: WaitSource<Spec>,
  id: string,
  { goal }: WaitCriteria,
  signal: AbortSignal | undefined,
): Promise<WireResource<Spec> | undefined> {
  try {
    return (await collection.get(id, { signal })).resource;
  } catch (error) {
    if (goal === "deleted" && isFleetApiError(error, "notFound")) return undefined;
    throw error;
  }
}

function isFinal({ kind }: FleetWaitProgress): boolean {
  return kind !== "waiting";
}

function settled<Spec extends JsonObject>(
  progress: FleetWaitProgress<Spec>,
  { goal }: WaitCriteria,
): FleetWaitProgress<Spec> {
  if (progress.kind === "reached") return progress;
  throw new FleetWaitError(progress, goal);
}
