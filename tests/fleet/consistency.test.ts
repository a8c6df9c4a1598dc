import { realClock } from "@levelset/core";
import { memoryLogger, seededRandom } from "@levelset/core/testing";
import { Fleet, localCaller, readKinds } from "@levelset/fleet";
import type { ChangeSet, FleetStore } from "@levelset/fleet";
import { expect, test } from "vitest";
import { inconsistencies } from "./consistency.ts";
import { openTestStore } from "./harness.ts";
import { freshName, reportBody } from "./user.ts";

const KINDS = readKinds([{ kind: "Cluster", plural: "clusters", required_adapters: ["a"] }]);
const CALLER = localCaller("test");

/** A store that keeps something else of a report than it was told. */
function damaged(store: FleetStore, damage: (change: ChangeSet) => ChangeSet): FleetStore {
  return new Proxy(store, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== "function") return member;
      if (name !== "commit") return (...args: readonly unknown[]): unknown => Reflect.apply(member, target, args);
      return (change: ChangeSet) => target.commit(change.entry.action === "report" ? damage(change) : change);
    },
  });
}

/** Sends what is due, so that nothing is urgent any more. */
async function pulsed(store: FleetStore): Promise<void> {
  const now = realClock.now();
  const claims = await store.claim({ holder: "test", now, leaseMs: 60_000, limit: 10, kinds: ["Cluster"] });
  await store.complete(
    claims.map(({ stored, plan, holder }) => {
      return { resourceId: stored.resource.id, holder, plan, pulsedTime: now, refreshTime: now };
    }),
  );
}

/** What the check says after two reports, of which the store has damaged the second. */
async function after(damage: (change: ChangeSet) => ChangeSet): Promise<readonly string[]> {
  await using store = await openTestStore({ kind: "sqlite", path: ":memory:" });
  const [kind] = KINDS.all;
  if (kind === undefined) throw new TypeError("there is no kind");
  let isDamaging = false;
  // One fleet throughout: the ids of two would not be in the order of what they did within one millisecond.
  const fleet = new Fleet({
    store: damaged(store, (change) => (isDamaging ? damage(change) : change)),
    kinds: KINDS,
    clock: realClock,
    random: seededRandom(1),
    logger: memoryLogger().logger,
  });
  const declaration = { kind, name: freshName(), spec: {}, labels: {}, references: {}, parent: undefined };
  const done = await fleet.create(CALLER, declaration);
  if (done.kind !== "done") throw new TypeError("nothing is created twice here");
  const { id } = done.result.resource;
  const once = { key: "k", request: "r", answer: () => ({ status: 200, headers: {}, body: "" }) };
  // It changes nothing, and is in the journal all the same.
  await fleet.patch(CALLER, { id }, { spec: {} }, { once });
  await fleet.report(CALLER, { id }, reportBody("a", 1, "True"));
  await pulsed(store);
  isDamaging = true;
  await fleet.report(CALLER, { id }, reportBody("a", 1, "False"));
  return (await inconsistencies(store, KINDS)).map((problem) => problem.replace(/^Cluster \S+: /u, ""));
}

test("a store that keeps what it is told fits together", async () => {
  expect(await after((change) => change)).toEqual([]);
});

test("the check finds a status without its conditions, and conditions without their status", async () => {
  const told = expect.arrayContaining(["its conditions are not what its statuses add up to"]);
  expect(await after(({ updated, ...rest }) => ({ ...rest, touched: updated?.map(expected) ?? [] }))).toEqual(told);
  expect(await after(({ entry, updated = [], work = [] }) => ({ entry, updated, work }))).toEqual(told);
});

test("the check finds a report that is nowhere but in the journal", async () => {
  expect(await after(({ entry }) => ({ entry }))).toEqual([
    "its statuses are not those of its journal",
    "its conditions are not those of its journal",
  ]);
});

test("the check finds work that is planned too late", async () => {
  const late = (change: ChangeSet): ChangeSet => ({
    ...change,
    work: (change.work ?? []).map(({ resourceId, kind }) => ({ resourceId, kind, refreshTime: undefined })),
  });
  expect(await after(late)).toEqual([expect.stringMatching(/^is planned for /u)]);
});

function expected({ resource, revision }: NonNullable<ChangeSet["updated"]>[number]): { id: string; revision: number } {
  return { id: resource.id, revision };
}
