import { isAbortError } from "@levelset/core";
import type { Broker, FleetKinds, PulseRule } from "@levelset/fleet";
import type { Message, Subscription } from "@levelset/fleet/server";
import type { ReportedCondition } from "@levelset/fleet/model";
import { FleetClient, isCurrent, isFleetApiError, adapterConditionOf } from "@levelset/fleet/client";
import type { WireReport, WireResource } from "@levelset/fleet/client";
import { isAssigned } from "./adapter-assignment.ts";
import type { AdapterAssignment } from "./adapter-assignment.ts";
import type { FleetWorld } from "./start-api.ts";

/** Duration of the work of a simulated adapter. */
const WORK_MS = 700;
const SUBSCRIPTION = "simulated";

/** Dependencies of simulated adapters. */
export interface SimulationOptions {
  readonly broker: Broker;
  readonly rules: readonly PulseRule[];
  readonly kinds: FleetKinds;
  /** Running adapters, which are not simulated. */
  readonly running: readonly AdapterAssignment[];
  /** URL of the fleet API. */
  readonly url: string;
  readonly world: FleetWorld;
}

/**
 * Simulates the missing adapters of a fleet: receives every pulse, waits for a moment, and reports success. An adapter
 * that `spec.fail` names reports a failure instead. Disposal aborts work in progress.
 */
export async function simulateAdapters(options: SimulationOptions): Promise<AsyncDisposable> {
  const { broker, rules, url, world } = options;
  const client = new FleetClient({ url, clock: world.clock });
  const stop = new AbortController();
  const subscriptions: Subscription[] = [];
  for (const topic of new Set(rules.map((rule) => rule.topic))) {
    const handler = (message: Message): Promise<void> => work(client, message, options, stop.signal);
    subscriptions.push(await broker.subscribe(topic, SUBSCRIPTION, handler));
  }
  return {
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await Promise.all(subscriptions.map((subscription) => subscription.close()));
    },
  };
}

async function work(
  client: FleetClient,
  { event }: Message,
  { kinds, running, world }: SimulationOptions,
  signal: AbortSignal,
): Promise<void> {
  const { id, kind: name } = pulseOf(event.data);
  const kind = kinds.find(name);
  if (kind === undefined) return;
  const collection = client.collection(kind);
  const now = (): string => new Date(world.clock.now()).toISOString();
  try {
    const { resource } = await collection.get(id, { signal });
    const { dueadapters: dueNames } = event;
    const due = typeof dueNames === "string" ? dueNames.split(",") : [];
    const adapters = kind.requiredAdapters.filter(
      (adapter) => !isAssigned(running, kind.plural, adapter) && (due.includes(adapter) || hasWork(resource, adapter)),
    );
    for (const adapter of adapters) {
      await collection.report(id, { ...reportOf(resource, adapter, "working"), observed_time: now() }, { signal });
      await world.clock.sleep(WORK_MS, signal);
      await collection.report(id, { ...reportOf(resource, adapter, "done"), observed_time: now() }, { signal });
    }
  } catch (error) {
    // The resource was deleted, or the process is stopping.
    if (!isFleetApiError(error, "notFound") && !isAbortError(error)) throw error;
  }
}

function pulseOf(data: unknown): { readonly id: string; readonly kind: string } {
  const { id, kind }: { readonly id?: unknown; readonly kind?: unknown } =
    typeof data === "object" && data !== null ? data : {};
  return { id: typeof id === "string" ? id : "", kind: typeof kind === "string" ? kind : "" };
}

/** Reports whether an adapter has work: no result for this generation, or a failure. */
function hasWork(resource: WireResource, adapter: string): boolean {
  const result = adapterConditionOf(resource, adapter);
  return resource.deleted_time !== undefined || !isCurrent(resource, result) || result?.status !== "True";
}

const WORKING = { status: "Unknown", reason: "Working" } as const;

/** Returns the simulated result. */
function outcome({ deleted_time: time, spec }: WireResource, adapter: string): Omit<ReportedCondition, "type"> {
  if (time !== undefined) return { status: "False", reason: "Removed" };
  const isFailing = [spec["fail"]].flat().includes(adapter);
  if (isFailing) return { status: "False", reason: "Simulated", message: `spec.fail names ${adapter}` };
  return { status: "True", reason: "Simulated" };
}

function reportOf(
  resource: WireResource,
  adapter: string,
  phase: "working" | "done",
): Omit<WireReport, "observed_time"> {
  const isDeleting = resource.deleted_time !== undefined;
  return {
    adapter,
    observed_generation: resource.generation,
    conditions: [
      { type: "Available", ...(phase === "working" ? WORKING : outcome(resource, adapter)) },
      { type: "Applied", status: "True" },
      { type: "Health", status: "True" },
      ...(isDeleting && phase === "done" ? [{ type: "Finalized", status: "True" } as const] : []),
    ],
  };
}
