/**
 * Waits for a resource: one read, then a watch of this resource alone. Between changes it sends no request.
 *
 * The watch begins with the resource as it is, so a change between the read and the watch is seen. A watch that breaks resumes where it
 * was; one whose position has expired begins again, and a resource that it does not show by then is deleted.
 */
import type { JsonObject } from "@levelset/core";
import { isProblem } from "./problem.ts";
import type { WatchEvent } from "./watch.ts";
import { deletedProgress, waitProgress } from "./wait-progress.ts";
import type { WaitCriteria, WaitGoal, WaitProgress } from "./wait-progress.ts";
import type { WireResource } from "./wire.ts";

/** How to wait. */
export interface WaitOptions<Spec extends JsonObject = JsonObject> {
  readonly signal?: AbortSignal | undefined;
  /**
   * `ready` for its latest generation; `available`: Available is True for any generation; or `deleted`: the resource of this id does not
   * exist, also if another one of its name does. Default: ready.
   */
  readonly for?: WaitGoal;
  /** After how long without a sign the connection is taken for dead. Default 60 s. */
  readonly idleMs?: number;
  /** The oldest generation that counts: the one that the client's own write returned. Default: any. */
  readonly generation?: number | undefined;
  /** Called with every state that is read, the last one too. The watch goes on when it has ended; what it throws ends the wait. */
  readonly onProgress?: ((progress: WaitProgress<Spec>) => void | Promise<void>) | undefined;
}

/** A resource can no longer become what a wait is for: it was deleted, or is being deleted. */
export class WaitError extends Error {
  override readonly name = "WaitError";
  readonly progress: WaitProgress;

  constructor(progress: WaitProgress, goal: string) {
    const { resource, state, message } = progress;
    const why = state === "Deleting" ? `is being deleted (${message})` : message;
    super(`${resource.kind} ${resource.name} does not become ${goal}: it ${why}`);
    this.progress = progress;
  }
}

/** The calls of a collection that a wait needs. */
interface WaitSource<Spec extends JsonObject> {
  get(
    id: string,
    options: { readonly signal: AbortSignal | undefined },
  ): Promise<{ readonly resource: WireResource<Spec> }>;
  watch(options: {
    readonly search: string;
    readonly idleMs?: number;
    readonly signal: AbortSignal | undefined;
  }): AsyncIterable<WatchEvent<Spec>>;
}

/** Where a watch of one resource is: in the list that it begins with, or after it. */
type WatchPhase = { readonly kind: "listing"; readonly isListed: boolean } | { readonly kind: "watching" };

const LISTING: WatchPhase = { kind: "listing", isListed: false };

/** What an event of a watch says about the resource. */
interface Observation<Spec extends JsonObject> {
  readonly phase: WatchPhase;
  readonly seen:
    | { readonly kind: "present"; readonly resource: WireResource<Spec> }
    | { readonly kind: "deleted" }
    | undefined;
}

/** Takes in an event of a watch. Events about other resources are ignored. */
function observeEvent<Spec extends JsonObject>(
  phase: WatchPhase,
  event: WatchEvent<Spec>,
  id: string,
): Observation<Spec> {
  switch (event.kind) {
    case "restarted":
      return { phase: LISTING, seen: undefined };
    case "synced": {
      const isMissing = phase.kind === "listing" && !phase.isListed;
      return { phase: { kind: "watching" }, seen: isMissing ? { kind: "deleted" } : undefined };
    }
    case "present":
    case "gone": {
      const { resource } = event;
      if (resource.id !== id) return { phase, seen: undefined };
      const listed: WatchPhase = phase.kind === "listing" ? { kind: "listing", isListed: true } : phase;
      return { phase: listed, seen: event.kind === "present" ? { kind: "present", resource } : { kind: "deleted" } };
    }
  }
}

/**
 * Waits until a resource is as asked for, and gives its last state; undefined for a deletion that was over at the first read. Rejects with
 * a `notFound` problem if it does not exist, and with a `WaitError` if it can no longer become so.
 */
export async function waitFor<Spec extends JsonObject>(
  collection: WaitSource<Spec>,
  id: string,
  criteria: WaitCriteria,
  { idleMs, signal, onProgress = () => {} }: WaitOptions<Spec>,
): Promise<WaitProgress<Spec> | undefined> {
  const first = await readFirst(collection, id, criteria, signal);
  if (first === undefined) return undefined;
  let progress = waitProgress(first, criteria);
  await onProgress(progress);
  if (isFinal(progress)) return settled(progress, criteria);
  let phase: WatchPhase = LISTING;
  const search = `id = '${id.replaceAll("'", "''")}'`;
  const watching = { search, signal, ...(idleMs === undefined ? {} : { idleMs }) };
  for await (const event of collection.watch(watching)) {
    const { phase: next, seen } = observeEvent(phase, event, id);
    phase = next;
    // An event that is older than what was read before is out of date.
    if (seen === undefined || (seen.kind === "present" && seen.resource.generation < progress.generation)) continue;
    progress =
      seen.kind === "present" ? waitProgress(seen.resource, criteria) : deletedProgress(progress.resource, criteria);
    await onProgress(progress);
    if (isFinal(progress)) return settled(progress, criteria);
  }
  throw new TypeError("the watch ended by itself"); // it ends with a result or an error only
}

/** The resource now; undefined if it is deleted and the wait is for that. */
async function readFirst<Spec extends JsonObject>(
  collection: WaitSource<Spec>,
  id: string,
  { goal }: WaitCriteria,
  signal: AbortSignal | undefined,
): Promise<WireResource<Spec> | undefined> {
  try {
    return (await collection.get(id, { signal })).resource;
  } catch (error) {
    if (goal === "deleted" && isProblem(error, "notFound")) return undefined;
    throw error;
  }
}

function isFinal({ kind }: WaitProgress): boolean {
  return kind !== "waiting";
}

function settled<Spec extends JsonObject>(progress: WaitProgress<Spec>, { goal }: WaitCriteria): WaitProgress<Spec> {
  if (progress.kind === "reached") return progress;
  throw new WaitError(progress, goal);
}
