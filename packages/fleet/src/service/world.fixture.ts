import { silentLogger } from "@levelset/core";
import type { Clock, JsonObject } from "@levelset/core";
import { seededRandom, VirtualClock } from "@levelset/core/testing";
import { readKinds, timeText } from "../resource/index.ts";
import type { FleetKinds } from "../resource/index.ts";
import { openStore } from "../store/index.ts";
import type { FleetStore } from "../store/index.ts";
import { localCaller } from "./caller.ts";
import type { Caller } from "./caller.ts";
import type { Target } from "./context.ts";
import { Fleet } from "./fleet.ts";

/** Kinds of three levels, and two that refer to others. */
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
/** Who asks for everything. */
export const CALLER: Caller = localCaller("r");

/** A store in memory under a virtual clock, and fleets on it. */
export interface World {
  readonly clock: VirtualClock;
  readonly store: FleetStore;
  readonly fleetOn: (store: FleetStore) => Fleet;
}

/** Opens an empty one. */
export async function openWorld(): Promise<World> {
  const clock = new VirtualClock();
  const random = seededRandom(3);
  const store = await openStore({ kind: "sqlite", path: ":memory:" }, { clock, random, logger: silentLogger });
  return { clock, store, fleetOn: (on) => new Fleet({ store: on, kinds: KINDS, clock, random }) };
}

/** What an adapter reports that is content. */
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
export async function made(fleet: Fleet, kind: string, name: string, parent?: Target, to?: string): Promise<Target> {
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

/** Each prepares a world and gives what is to be done in it. */
export const MUTATIONS: Readonly<
  Record<string, (world: World, fleet: Fleet) => Promise<(fleet: Fleet) => Promise<unknown>>>
> = {
  "creating a child that refers to nothing": async (_world, fleet) => {
    const parent = await made(fleet, "Cluster", "c");
    return (on) => made(on, "Pool", "p", parent);
  },
  "creating a child that refers to its parent": async (_world, fleet) => {
    const parent = await made(fleet, "Pool", "p", await made(fleet, "Cluster", "c"));
    return (on) => made(on, "Disk", "d", parent, parent.id);
  },
  "creating what refers to something": async (_world, fleet) => {
    const { id } = await made(fleet, "Cluster", "c");
    return (on) => made(on, "Link", "l", undefined, id);
  },
  "changing a declaration": async (_world, fleet) => {
    const target = await made(fleet, "Cluster", "c");
    return (on) => on.patch(CALLER, target, { spec: { n: 2 }, labels: {} });
  },
  "deleting a family": async (_world, fleet) => {
    const target = await made(fleet, "Cluster", "c");
    const pool = await made(fleet, "Pool", "p", target);
    await made(fleet, "Disk", "d", pool);
    return (on) => on.remove(CALLER, target);
  },
  "deleting a family of which one is being deleted": async (_world, fleet) => {
    const target = await made(fleet, "Cluster", "c");
    await fleet.remove(CALLER, await made(fleet, "Pool", "p", target));
    return (on) => on.remove(CALLER, target);
  },
  "deleting by force": async (_world, fleet) => {
    const target = await made(fleet, "Cluster", "c");
    await made(fleet, "Pool", "p", target);
    await fleet.remove(CALLER, target);
    return (on) => on.forceRemove(CALLER, target, "because");
  },
  "the first verdict": async ({ clock }, fleet) => {
    const target = await made(fleet, "Cluster", "c");
    return (on) => on.report(CALLER, target, report(clock, "a", 1));
  },
  "a report that is discarded": async ({ clock }, fleet) => {
    const target = await made(fleet, "Cluster", "c");
    return (on) => on.report(CALLER, target, report(clock, "a", 7));
  },
  "the report that ends a child and its parent": async ({ clock }, fleet) => {
    const target = await made(fleet, "Cluster", "c");
    const pool = await made(fleet, "Pool", "p", target);
    await fleet.remove(CALLER, target);
    for (const adapter of ["a", "b"]) await fleet.report(CALLER, target, report(clock, adapter, 2, "True"));
    return (on) => on.report(CALLER, pool, report(clock, "a", 2, "True"));
  },
};
