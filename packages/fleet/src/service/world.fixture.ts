import { silentLogger } from "@levelset/core";
import type { Clock, JsonObject } from "@levelset/core";
import { seededRandom, VirtualClock } from "@levelset/core/testing";
import { readKinds, timeText } from "../resource/index.ts";
import type { FleetKinds } from "../resource/index.ts";
import { openStore } from "../store/index.ts";
import type { FleetStore } from "../store/index.ts";
import { localCaller } from "./caller.ts";
import type { Caller } from "./caller.ts";
import type { ResourceTarget } from "./fleet-context.ts";
import { Fleet } from "./fleet.ts";

/** Kinds of three levels, and two with references. */
export const KINDS: FleetKinds = readKinds([
  {
    kind: "Cluster",
    plural: "clusters",
    required_adapters: ["a", "b"],
    references: [{ ref_type: "to", target_kind: "Cluster" }],
  },
  { kind: "Pool", plural: "pools", parent_kind: "Cluster", on_parent_delete: "cascade", required_adapters: ["a"] },
  {
    kind: "Disk",
    plural: "disks",
    parent_kind: "Pool",
    on_parent_delete: "cascade",
    references: [{ ref_type: "to", target_kind: "Pool" }],
  },
  { kind: "Link", plural: "links", references: [{ ref_type: "to", target_kind: "Cluster" }] },
]);
/** The caller of all requests. */
export const CALLER: Caller = localCaller("r");

/** An in-memory store with a virtual clock, and fleets on it. */
export interface TestWorld {
  readonly clock: VirtualClock;
  readonly store: FleetStore;
  readonly fleetOn: (store: FleetStore) => Fleet;
}

/** Opens an empty world. */
export async function openTestWorld(): Promise<TestWorld> {
  const clock = new VirtualClock();
  const random = seededRandom(3);
  const store = await openStore({ kind: "sqlite", path: ":memory:" }, { clock, random, logger: silentLogger });
  return { clock, store, fleetOn: (on) => new Fleet({ store: on, kinds: KINDS, clock, random }) };
}

/** Returns a successful report. */
export function report(clock: Clock, adapter: string, generation: number, finalized = "False"): JsonObject {
  const conditions = ["Available", "Applied", "Health"].map((type) => ({ type, status: "True" }));
  return {
    adapter,
    observed_generation: generation,
    observed_time: timeText(clock.now()),
    conditions: [...conditions, { type: "Finalized", status: finalized }],
  };
}

/** Creates a resource. */
export async function createTarget(
  fleet: Fleet,
  kind: string,
  name: string,
  parent?: ResourceTarget,
  to?: string,
): Promise<ResourceTarget> {
  const declared = KINDS.find(kind);
  if (declared === undefined) throw new TypeError("there is no such kind");
  const references = to === undefined ? {} : { to: [{ id: to }] };
  const done = await fleet.create(CALLER, {
    kind: declared,
    parent,
    name,
    spec: { n: 1 },
    labels: { x: "y" },
    references,
  });
  if (done.kind === "replayed") throw new TypeError("there was no key");
  return { id: done.result.resource.id, kind };
}

/** Each prepares a world and returns a mutation to run in it. */
export const MUTATIONS: Readonly<
  Record<string, (world: TestWorld, fleet: Fleet) => Promise<(fleet: Fleet) => Promise<unknown>>>
> = {
  "creating a child without references": async (_world, fleet) => {
    const parent = await createTarget(fleet, "Cluster", "c");
    return (on) => createTarget(on, "Pool", "p", parent);
  },
  "creating a child that refers to its parent": async (_world, fleet) => {
    const parent = await createTarget(fleet, "Pool", "p", await createTarget(fleet, "Cluster", "c"));
    return (on) => createTarget(on, "Disk", "d", parent, parent.id);
  },
  "creating a resource with a reference": async (_world, fleet) => {
    const { id } = await createTarget(fleet, "Cluster", "c");
    return (on) => createTarget(on, "Link", "l", undefined, id);
  },
  "changing a declaration": async (_world, fleet) => {
    const target = await createTarget(fleet, "Cluster", "c");
    return (on) => on.patch(CALLER, target, { spec: { n: 2 }, labels: {} });
  },
  "deleting a family": async (_world, fleet) => {
    const target = await createTarget(fleet, "Cluster", "c");
    const pool = await createTarget(fleet, "Pool", "p", target);
    await createTarget(fleet, "Disk", "d", pool);
    return (on) => on.delete(CALLER, target);
  },
  "deleting a family of which one is being deleted": async (_world, fleet) => {
    const target = await createTarget(fleet, "Cluster", "c");
    await fleet.delete(CALLER, await createTarget(fleet, "Pool", "p", target));
    return (on) => on.delete(CALLER, target);
  },
  "deleting by force": async (_world, fleet) => {
    const target = await createTarget(fleet, "Cluster", "c");
    await createTarget(fleet, "Pool", "p", target);
    await fleet.delete(CALLER, target);
    return (on) => on.forceDelete(CALLER, target, "because");
  },
  "the first verdict": async ({ clock }, fleet) => {
    const target = await createTarget(fleet, "Cluster", "c");
    return (on) => on.report(CALLER, target, report(clock, "a", 1));
  },
  "a report that is discarded": async ({ clock }, fleet) => {
    const target = await createTarget(fleet, "Cluster", "c");
    return (on) => on.report(CALLER, target, report(clock, "a", 7));
  },
  "the report that ends a child and its parent": async ({ clock }, fleet) => {
    const target = await createTarget(fleet, "Cluster", "c");
    const pool = await createTarget(fleet, "Pool", "p", target);
    await fleet.delete(CALLER, target);
    for (const adapter of ["a", "b"]) await fleet.report(CALLER, target, report(clock, adapter, 2, "True"));
    return (on) => on.report(CALLER, pool, report(clock, "a", 2, "True"));
  },
};
