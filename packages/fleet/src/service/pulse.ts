import { deadlines } from "../resource/index.ts";
import type { Deadline } from "../resource/index.ts";
import type { WorkNote } from "../store/index.ts";
import type { Caller } from "./caller.ts";
import { loadFor } from "./context.ts";
import type { FleetContext, Target } from "./context.ts";

/** When a resource was last announced to its adapters, and when it is next, as far as nothing happens until then. */
export interface PulseNote {
  /** What the store has planned; undefined if it never had to. */
  readonly work: WorkNote | undefined;
  /** When each required adapter is asked again unless it reports before, the earliest first. */
  readonly adapters: readonly Deadline[];
}

/** What is known about the pulses of a resource. */
export async function pulseOf(context: FleetContext, caller: Caller, target: Target): Promise<PulseNote> {
  const { store, kinds, clock, planner } = context;
  await planner.refresh();
  const { resource, statuses } = await loadFor(context, caller, target);
  const kind = kinds.find(resource.kind);
  const work = await store.work(resource.id);
  if (kind === undefined) return { work, adapters: [] };
  const ttl = planner.ttlOf(resource);
  const pulsedTime = work?.pulsedTime;
  return { work, adapters: deadlines({ kind, resource, statuses, pulsedTime, now: clock.now(), ttl }) };
}
