import { realClock } from "@levelset/core";
import { memoryLogger, seededRandom } from "@levelset/core/testing";
import { EVERY_TENANT, Fleet, localCaller } from "@levelset/fleet/server";
import { FleetError } from "@levelset/fleet/model";
import { readKinds } from "@levelset/fleet";
import type { FleetKinds, FleetStore } from "@levelset/fleet";
import type { RequestedReferences } from "@levelset/fleet/model";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { inconsistencies } from "./consistency.ts";
import { openTestStore } from "../../support/fleet/running-fleet.ts";
import { forEachInterleaving, runInterleaved } from "./interleaving.ts";
import type { Work } from "./interleaving.ts";
import { freshName, reportBody } from "../../support/fleet/fleet-user.ts";

/** Kinds with one required adapter each, so that one report completes a deletion. */
const KINDS: FleetKinds = readKinds([
  { kind: "Channel", plural: "channels" },
  {
    kind: "Cluster",
    plural: "clusters",
    required_adapters: ["a"],
    references: [{ ref_type: "channel", target_kind: "Channel" }],
  },
  {
    kind: "NodePool",
    plural: "nodepools",
    parent_kind: "Cluster",
    on_parent_delete: "cascade",
    required_adapters: ["a"],
  },
]);
const CALLER = localCaller("test");
let seeds = 0;

/** A separate fleet, as in another process: only the store is shared. */
function fleetOn(store: FleetStore): Fleet {
  const { logger } = memoryLogger();
  return new Fleet({ store, kinds: KINDS, clock: realClock, random: seededRandom(++seeds), logger });
}

/** Creates a resource. */
async function created(
  store: FleetStore,
  name: string,
  parent?: string,
  references: RequestedReferences = {},
): Promise<string> {
  const kind = KINDS.find(name);
  if (kind === undefined) throw new TypeError(`unknown kind ${name}`);
  const above = parent === undefined ? undefined : { id: parent };
  const declaration = { kind, name: freshName(), spec: {}, labels: {}, references, parent: above };
  const done = await fleetOn(store).create(CALLER, declaration);
  if (done.kind !== "done") throw new TypeError("unexpected duplicate create");
  return done.result.resource.id;
}

/** Creates a cluster in deletion with its node pools. */
async function deletedFamily(store: FleetStore, count: number): Promise<{ cluster: string; pools: readonly string[] }> {
  const cluster = await created(store, "Cluster");
  const pools: string[] = [];
  while (pools.length < count) pools.push(await created(store, "NodePool", cluster));
  await fleetOn(store).delete(CALLER, { id: cluster });
  return { cluster, pools };
}

/** Sends the last report on a resource. */
function finished(id: string): Work {
  return async (store) => {
    await fleetOn(store).report(CALLER, { id }, reportBody("a", 2, "False", { finalized: "True" }));
  };
}

describe("in every interleaving of the reads and commits of two processes", () => {
  test("the last report on the last child and the last on its parent leave no resource", async () => {
    await using store = await openTestStore({ kind: "sqlite", path: ":memory:" });
    const orders = await forEachInterleaving(async (choices) => {
      const { cluster, pools } = await deletedFamily(store, 1);
      const widths = await runInterleaved(store, [cluster, ...pools].map(finished), choices);
      expect(await store.load({ id: cluster, scope: EVERY_TENANT })).toBeUndefined();
      return widths;
    });
    expect(orders).toBeGreaterThanOrEqual(10);
    expect(await inconsistencies(store, KINDS)).toEqual([]);
  });

  test("the last reports on two children of a finished parent leave no resource", async () => {
    await using store = await openTestStore({ kind: "sqlite", path: ":memory:" });
    const orders = await forEachInterleaving(async (choices) => {
      const { cluster, pools } = await deletedFamily(store, 2);
      await finished(cluster)(store);
      const widths = await runInterleaved(store, pools.map(finished), choices);
      expect(await store.load({ id: cluster, scope: EVERY_TENANT })).toBeUndefined();
      return widths;
    });
    expect(orders).toBeGreaterThanOrEqual(10);
  });

  test("a reference to a resource in deletion is rejected, or blocks the deletion", async () => {
    await using store = await openTestStore({ kind: "sqlite", path: ":memory:" });
    const outcomes = new Set<string>();
    await forEachInterleaving(async (choices) => {
      const channel = await created(store, "Channel");
      let outcome = "";
      const note =
        (name: string, work: Work): Work =>
        async (gated) => {
          const isDone = await work(gated).then(
            () => true,
            (error: unknown) => !(error instanceof FleetError),
          );
          outcome += isDone ? name : "";
        };
      const refer = note("referred ", async (gated) => {
        await created(gated, "Cluster", undefined, { channel: [{ id: channel }] });
      });
      const remove = note("removed ", async (gated) => {
        await fleetOn(gated).delete(CALLER, { id: channel });
      });
      const widths = await runInterleaved(store, [refer, remove], choices);
      outcomes.add(outcome);
      return widths;
    });
    expect([...outcomes].toSorted()).toEqual(["referred ", "removed "]);
    expect(await inconsistencies(store, KINDS)).toEqual([]);
  });
});

test("in two hundred random interleavings, the last reports on two children and the parent leave no resource", async () => {
  await using store = await openTestStore({ kind: "sqlite", path: ":memory:" });
  for (const choices of fc.sample(fc.array(fc.nat(5), { minLength: 30, maxLength: 30 }), 200)) {
    const { cluster, pools } = await deletedFamily(store, 2);
    await runInterleaved(store, [cluster, ...pools].map(finished), choices);
    expect(await store.load({ id: cluster, scope: EVERY_TENANT })).toBeUndefined();
  }
});
