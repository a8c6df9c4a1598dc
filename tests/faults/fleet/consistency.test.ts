import { realClock } from "@levelset/core";
import { memoryLogger, seededRandom } from "@levelset/core/testing";
import { Fleet, localCaller } from "@levelset/fleet/server";
import { readKinds } from "@levelset/fleet";
import type { ChangeSet } from "@levelset/fleet/server";
import type { FleetStore } from "@levelset/fleet";
import { expect, test } from "vitest";
import { inconsistencies } from "./consistency.ts";
import { openTestStore } from "../../support/fleet/running-fleet.ts";
import { freshName, reportBody } from "../../support/fleet/fleet-user.ts";

const KINDS = readKinds([{ kind: "Cluster", plural: "clusters", required_adapters: ["a"] }]);
const CALLER = localCaller("test");

/** A store that stores a damaged version of a report. */
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

/** Dispatches all due work, so that no urgent work is left. */
async function pulsed(store: FleetStore): Promise<void> {
  const now = realClock.now();
  const claims = await store.claim({ holder: "test", now, leaseMs: 60_000, limit: 10, kinds: ["Cluster"] });
  await store.complete(
    claims.map(({ resource, counters, holder }) => {
      return { resourceId: resource.resource.id, holder, counters, pulsedTime: now, refreshTime: now };
    }),
  );
}

/** Returns the result of the check after two reports, the second of which was damaged. */
async function after(damage: (change: ChangeSet) => ChangeSet): Promise<readonly string[]> {
  await using store = await openTestStore({ kind: "sqlite", path: ":memory:" });
  const [kind] = KINDS.all;
  if (kind === undefined) throw new TypeError("there is no kind");
  let isDamaging = false;
  // One fleet throughout: the ids of two would not be ordered within one millisecond.
  const fleet = new Fleet({
    store: damaged(store, (change) => (isDamaging ? damage(change) : change)),
    kinds: KINDS,
    clock: realClock,
    random: seededRandom(1),
    logger: memoryLogger().logger,
  });
  const declaration = { kind, name: freshName(), spec: {}, labels: {}, references: {}, parent: undefined };
  const done = await fleet.create(CALLER, declaration);
  if (done.kind !== "done") throw new TypeError("unexpected duplicate create");
  const { id } = done.result.resource;
  const once = { key: "k", request: "r", response: () => ({ status: 200, headers: {}, body: "" }) };
  // A patch without changes is still recorded in the journal.
  await fleet.patch(CALLER, { id }, { spec: {} }, { idempotency: once });
  await fleet.report(CALLER, { id }, reportBody("a", 1, "True"));
  await pulsed(store);
  isDamaging = true;
  await fleet.report(CALLER, { id }, reportBody("a", 1, "False"));
  return (await inconsistencies(store, KINDS)).map((problem) => problem.replace(/^Cluster \S+: /u, ""));
}

test("an undamaged store is consistent", async () => {
  expect(await after((change) => change)).toEqual([]);
});

test("the check finds a status without its conditions, and conditions without the status", async () => {
  const reported = expect.arrayContaining(["conditions differ from the aggregate of the statuses"]);
  expect(await after(({ updated, ...rest }) => ({ ...rest, touched: updated?.map(expected) ?? [] }))).toEqual(reported);
  expect(await after(({ entry, updated = [], work = [] }) => ({ entry, updated, work }))).toEqual(reported);
});

test("the check finds a report that exists in the journal only", async () => {
  expect(await after(({ entry }) => ({ entry }))).toEqual([
    "statuses differ from the journal",
    "conditions differ from the journal",
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
