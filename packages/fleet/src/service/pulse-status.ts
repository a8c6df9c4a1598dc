import { adapterDeadlines } from "../resource/index.ts";
import type { AdapterDeadline } from "../resource/index.ts";
import type { WorkStatus } from "../store/index.ts";
import type { Caller } from "./caller.ts";
import { loadVisible } from "./fleet-context.ts";
import type { FleetContext, ResourceTarget } from "./fleet-context.ts";

/** When a resource was last pulsed, and when it is due next unless a change occurs. */
export interface PulseStatus {
  /** The planned work in the store; undefined if there never was any. */
  readonly work: WorkStatus | undefined;
  /** When each required adapter is due unless it reports before, earliest first. */
  readonly adapters: readonly AdapterDeadline[];
}

/** Returns the pulse status of a resource. */
export async function pulseStatusOf(
  context: FleetContext,
  caller: Caller,
  target: ResourceTarget,
): Promise<PulseStatus> {
  const { store, kinds, clock, planner } = context;
  await planner.refresh();
  const { resource, statuses } = await loadVisible(context, caller, target);
  const kind = kinds.find(resource.kind);
  const work = await store.workStatus(resource.id);
  if (kind === undefined) return { work, adapters: [] };
  const ttl = planner.ttlOf(resource);
  const pulsedTime = work?.pulsedTime;
  return { work, adapters: adapterDeadlines({ kind, resource, statuses, pulsedTime, now: clock.now(), ttl }) };
}
