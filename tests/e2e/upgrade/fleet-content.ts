import type { Clock } from "@levelset/core";
import type { WireAdapterStatus, WireJournalEntry, WirePulse, WireResource } from "@levelset/fleet/client";
import type { FleetRun } from "./fleet-run.ts";

/** All content of a fleet, as its API returns it. */
export interface FleetExport {
  readonly resources: readonly ExportedResource[];
  /** Audit entries, newest first. */
  readonly audit: readonly WireJournalEntry[];
}

/** A resource with its reports. */
export interface ExportedResource {
  readonly resource: WireResource;
  readonly statuses: readonly WireAdapterStatus[];
  readonly history: readonly WireJournalEntry[];
  readonly pulse?: WirePulse;
}

/** Reads the whole content of a fleet. */
export async function exportFleet({ client, resources }: FleetRun): Promise<FleetExport> {
  const found: ExportedResource[] = [];
  for (const resource of await all(resources.list({ order: "created_time" }))) {
    const { id } = resource;
    const pulse = await resources.pulse(id);
    found.push({
      resource,
      statuses: await all(resources.statuses(id)),
      history: await all(resources.history(id)),
      ...(pulse === undefined ? {} : { pulse }),
    });
  }
  return { resources: found, audit: await all(client.audit()) };
}

async function all<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

/** The idempotency key of the request that created the first cluster. */
export const IDEMPOTENCY_KEY = "upgrade-eu-1";

/** Returns the input of the request that created the first cluster. */
export function firstCluster(channel: string) {
  return {
    name: "eu-1",
    spec: { region: "eu", limits: { cpu: "2", nodes: [1, 2, 3] } },
    labels: { env: "production", shard: "1" },
    references: { channel: [{ id: channel }] },
  };
}

/** Creates the resources. */
export async function declareFleet({ client, clusters }: FleetRun): Promise<void> {
  const channels = client.collection({ kind: "Channel", plural: "channels" });
  const { resource: stable } = await channels.create({ name: "stable", spec: { versions: ["1.0", "1.1"] } });
  const { resource: first } = await clusters.create(firstCluster(stable.id), { idempotencyKey: IDEMPOTENCY_KEY });
  const pools = client.collection({ kind: "NodePool", plural: "nodepools" }, first);
  await pools.create({ name: "blue", spec: { replicas: 3 }, labels: { tier: "web" } });
  for (const name of ["eu-2", "eu-3", "eu-4"]) await clusters.create({ name, spec: { region: "eu" } });
}

/** Deletes the fourth cluster; it is gone once its adapters have finalized. */
export async function deleteFourth(run: FleetRun): Promise<void> {
  await run.clusters.delete((await named(run, "eu-4")).id);
}

/** Changes resources while no adapter runs, so that work is due when the fixture is opened. */
export async function declareDueWork(run: FleetRun): Promise<void> {
  const { clusters } = run;
  await clusters.patch((await named(run, "eu-2")).id, { spec: { region: "us" }, labels: { env: "test" } });
  await clusters.delete((await named(run, "eu-3")).id);
  await clusters.create({ name: "eu-5", spec: { region: "ap" } });
}

/** Returns the cluster with a name. */
export async function named({ clusters }: FleetRun, name: string): Promise<WireResource> {
  const [found] = await clusters.findByName(name);
  if (found === undefined) throw new Error(`there is no cluster ${name}`);
  return found;
}

/** Reports as an adapter does, for the current generation of a resource. */
export async function report(
  { resources }: FleetRun,
  { id, generation }: WireResource,
  { adapter, clock, finalized }: { readonly adapter: string; readonly clock: Clock; readonly finalized?: true },
): Promise<void> {
  const status = finalized === true ? "False" : "True";
  await resources.report(id, {
    adapter,
    observed_generation: generation,
    observed_time: new Date(clock.now()).toISOString(),
    conditions: [
      { type: "Available", status, reason: "Reported", message: `by ${adapter}` },
      { type: "Applied", status: "True" },
      { type: "Health", status: "True" },
      ...(finalized === true ? [{ type: "Finalized", status: "True" } as const] : []),
    ],
    data: { adapter, count: 7 },
  });
}

/** Reports the current generation, then a generation that does not exist yet, which is only stored in the history. */
export async function reportByHand(run: FleetRun, target: WireResource, adapter: string, clock: Clock): Promise<void> {
  await report(run, target, { adapter, clock });
  await report(run, { ...target, generation: target.generation + 7 }, { adapter, clock });
}
