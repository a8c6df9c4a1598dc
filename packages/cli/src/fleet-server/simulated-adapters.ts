import { isAbort } from "@levelset/core";
import type { Broker, FleetKinds, Message, PulseRule, ReportedCondition, Subscription } from "@levelset/fleet";
import { FleetClient, isCurrent, isProblem, verdictOf } from "@levelset/fleet/client";
import type { WireReport, WireResource } from "@levelset/fleet/client";
import { isPosted } from "./dev-adapters.ts";
import type { AdapterPost } from "./dev-adapters.ts";
import type { FleetWorld } from "./running-api.ts";

/** How long a simulated adapter takes. */
const WORK_MS = 700;
const SUBSCRIPTION = "simulated";

/** What simulated adapters need. */
export interface SimulationOptions {
  readonly broker: Broker;
  readonly rules: readonly PulseRule[];
  readonly kinds: FleetKinds;
  /** Adapters that there are: these are not simulated. */
  readonly real: readonly AdapterPost[];
  /** Where the API is. */
  readonly url: string;
  readonly world: FleetWorld;
}

/**
 * Stands for the adapters of a fleet that there are not: it takes every pulse, works for a moment, and reports what an adapter that
 * succeeds would. An adapter that the spec's `fail` names reports a failure instead. Disposing ends it in the midst of its work.
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
  { kinds, real, world }: SimulationOptions,
  signal: AbortSignal,
): Promise<void> {
  const { id, kind: name } = pulseOf(event.data);
  const kind = kinds.find(name);
  if (kind === undefined) return;
  const collection = client.collection(kind);
  const now = (): string => new Date(world.clock.now()).toISOString();
  try {
    const { resource } = await collection.get(id, { signal });
    const { dueadapters: named } = event;
    const due = typeof named === "string" ? named.split(",") : [];
    const asked = kind.requiredAdapters.filter(
      (adapter) => !isPosted(real, kind.plural, adapter) && (due.includes(adapter) || isOpen(resource, adapter)),
    );
    for (const adapter of asked) {
      await collection.report(id, { ...reportOf(resource, adapter, "at work"), observed_time: now() }, { signal });
      await world.clock.sleep(WORK_MS, signal);
      await collection.report(id, { ...reportOf(resource, adapter, "done"), observed_time: now() }, { signal });
    }
  } catch (error) {
    // Gone meanwhile, or the process is stopping: an adapter would find nothing to do either.
    if (!isProblem(error, "notFound") && !isAbort(error)) throw error;
  }
}

function pulseOf(data: unknown): { readonly id: string; readonly kind: string } {
  const { id, kind }: { readonly id?: unknown; readonly kind?: unknown } =
    typeof data === "object" && data !== null ? data : {};
  return { id: typeof id === "string" ? id : "", kind: typeof kind === "string" ? kind : "" };
}

/** Whether an adapter has something to do without being asked: it has not judged this generation, or has failed. */
function isOpen(resource: WireResource, adapter: string): boolean {
  const verdict = verdictOf(resource, adapter);
  return resource.deleted_time !== undefined || !isCurrent(resource, verdict) || verdict?.status !== "True";
}

const WORKING = { status: "Unknown", reason: "Working" } as const;

/** What comes of the work. */
function outcome({ deleted_time: time, spec }: WireResource, adapter: string): Omit<ReportedCondition, "type"> {
  if (time !== undefined) return { status: "False", reason: "Removed" };
  const isFailing = [spec["fail"]].flat().includes(adapter);
  if (isFailing) return { status: "False", reason: "Simulated", message: `the spec's fail names ${adapter}` };
  return { status: "True", reason: "Simulated" };
}

function reportOf(
  resource: WireResource,
  adapter: string,
  phase: "at work" | "done",
): Omit<WireReport, "observed_time"> {
  const isDeleting = resource.deleted_time !== undefined;
  return {
    adapter,
    observed_generation: resource.generation,
    conditions: [
      { type: "Available", ...(phase === "at work" ? WORKING : outcome(resource, adapter)) },
      { type: "Applied", status: "True" },
      { type: "Health", status: "True" },
      ...(isDeleting && phase === "done" ? [{ type: "Finalized", status: "True" } as const] : []),
    ],
  };
}
