import { realClock, silentLogger } from "@levelset/core";
import type { Clock, JsonObject } from "@levelset/core";
import { seededRandom, VirtualClock } from "@levelset/core/testing";
import { describe, expect, test } from "vitest";
import { findResourceCondition, readKinds } from "../resource/index.ts";
import { DEFAULT_ORDER } from "../search/index.ts";
import { EVERY_TENANT, openStore, StoreUnavailableError } from "../store/index.ts";
import type { FleetStore } from "../store/index.ts";
import type { Caller } from "./caller.ts";
import type { IdempotentRequest } from "./fleet-context.ts";
import { Fleet } from "./fleet.ts";
import { CALLER, KINDS, createTarget, MUTATIONS, openTestWorld, report } from "./world.fixture.ts";
import type { TestWorld } from "./world.fixture.ts";

type Call = "before" | "after";

/** A store whose n-th call fails: before or after it took effect. */
function failing(
  store: FleetStore,
  n: number,
  when: Call,
): { readonly store: FleetStore; readonly failed: () => boolean } {
  let calls = 0;
  const proxy = new Proxy(store, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      if (name === "now") return member.bind(target); // not a database call
      return async (...args: readonly unknown[]): Promise<unknown> => {
        calls++;
        if (calls === n && when === "before") throw new StoreUnavailableError("cut");
        const result: unknown = await Reflect.apply(member, target, args);
        if (calls === n) throw new StoreUnavailableError("cut");
        return result;
      };
    },
  });
  return { store: proxy, failed: () => calls >= n };
}

/** Returns all visible data of the store. */
async function snapshot({ store }: TestWorld): Promise<unknown> {
  const kinds = KINDS.all.map(({ kind }) => kind);
  return {
    plans: await store.listPlans(kinds, undefined, 100),
    journal: await store.journal({ scope: EVERY_TENANT, limit: 100 }),
  };
}

describe("a database failure leaves all or none of", () => {
  test.each(Object.keys(MUTATIONS).flatMap((name) => [[name, "before"] as const, [name, "after"] as const]))(
    "%s, %s the call",
    async (name, when) => {
      const complete = await run(name, (store) => store);
      expect([complete.error, complete.after]).not.toEqual([undefined, complete.before]);
      for (let n = 1, isOver = false; !isOver; n++) {
        let isReached = (): boolean => false;
        const { before, after, error } = await run(name, (store) => {
          const broken = failing(store, n, when);
          isReached = broken.failed;
          return broken.store;
        });
        isOver = !isReached();
        expect(error instanceof StoreUnavailableError).toBe(!isOver);
        expect(isOver ? [complete.after] : [before, complete.after]).toContainEqual(after);
      }
    },
  );
});

interface Ran {
  readonly before: unknown;
  readonly after: unknown;
  readonly error: unknown;
}

/** Runs one of the mutations on a store and compares the data before and after. */
async function run(name: string, wrap: (store: FleetStore) => FleetStore): Promise<Ran> {
  const world = await openTestWorld();
  const mutate = await MUTATIONS[name]?.(world, world.fleetOn(world.store));
  const before = shape(await snapshot(world));
  const error: unknown = await mutate?.(world.fleetOn(wrap(world.store))).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  const after = shape(await snapshot(world));
  await world.store.close();
  return { before, after, error };
}

/** Replaces random IDs by the order of appearance. */
function shape(value: unknown): unknown {
  const names = new Map<string, string>();
  const text = JSON.stringify(value).replace(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{22}/g, (id) => {
    const name = names.get(id) ?? `id-${names.size}`;
    names.set(id, name);
    return name;
  });
  return JSON.parse(text);
}

describe("the resource cache", () => {
  test("saves a read for the next report", async () => {
    const { store, clock, fleetOn } = await openTestWorld();
    const fleet = fleetOn(store);
    const target = await createTarget(fleet, "Cluster", "c");
    await fleet.report(CALLER, target, report(clock, "a", 1));
    const before = store.statements;
    for (let n = 0; n < 10; n++) {
      await clock.advance(1);
      await fleet.report(CALLER, target, report(clock, n % 2 === 0 ? "a" : "b", 1));
    }
    expect(store.statements - before).toBe(10);
    expect(findResourceCondition((await fleet.get(CALLER, target)).resource.conditions, "Ready")?.status).toBe("True");
    await store.close();
  });

  test("is never the basis for refusing or discarding a report", async () => {
    const { store, clock, fleetOn } = await openTestWorld();
    const [one, two] = [fleetOn(store), fleetOn(store)];
    const target = await createTarget(one, "Cluster", "c");
    for (const adapter of ["a", "b"]) await one.report(CALLER, target, report(clock, adapter, 1));
    await two.patch(CALLER, target, { spec: { n: 2 } });
    await clock.advance(1);
    // The first process has not seen the second generation.
    expect(await one.report(CALLER, target, report(clock, "a", 2))).toMatchObject({ kind: "stored" });
    await two.delete(CALLER, target);
    await two.report(CALLER, target, report(clock, "a", 3, "True"));
    await two.report(CALLER, target, report(clock, "b", 3, "True"));
    await expect(one.report(CALLER, target, report(clock, "a", 2))).rejects.toMatchObject({ reason: "not-found" });
    await store.close();
  });
});

describe("a resource that is being deleted", () => {
  test("cannot get new references", async () => {
    const { store, fleetOn } = await openTestWorld();
    const fleet = fleetOn(store);
    const target = await createTarget(fleet, "Cluster", "leaving");
    const other = await createTarget(fleet, "Cluster", "other");
    await fleet.delete(CALLER, target);
    await expect(createTarget(fleet, "Link", "l", undefined, target.id)).rejects.toMatchObject({ reason: "state" });
    const references = { to: [{ id: target.id }] };
    await expect(fleet.patch(CALLER, other, { references })).rejects.toMatchObject({ reason: "state" });
    await store.close();
  });

  test("has no references, and does not block other deletions", async () => {
    const { store, fleetOn } = await openTestWorld();
    const fleet = fleetOn(store);
    const target = await createTarget(fleet, "Cluster", "target");
    const leaving = await createTarget(fleet, "Cluster", "leaving", undefined, target.id);
    await expect(fleet.delete(CALLER, target)).rejects.toMatchObject({ reason: "state" });
    await fleet.delete(CALLER, leaving);
    expect((await fleet.get(CALLER, leaving)).resource.references).toEqual({});
    expect(await fleet.delete(CALLER, target)).toMatchObject({ kind: "done" });
    await store.close();
  });
});

/** A request with an idempotency key and its response. */
const ONCE: IdempotentRequest = {
  key: "k",
  request: "r",
  response: () => ({ status: 200, headers: {}, body: "first" }),
};

test("a deletion with an idempotency key runs once: repeated after the removal, it gets the same response", async () => {
  const { store, fleetOn } = await openTestWorld();
  const fleet = fleetOn(store);
  const target = await createTarget(fleet, "Cluster", "c");
  await fleet.delete(CALLER, target);
  expect(await fleet.delete(CALLER, target, { idempotency: ONCE })).toMatchObject({ kind: "done" });
  await fleet.forceDelete(CALLER, target, "test");
  expect(await fleet.delete(CALLER, target, { idempotency: ONCE })).toMatchObject({ answer: { body: "first" } });
  await store.close();
});

test("a change without effect runs once: repeated later, it does not undo other changes", async () => {
  const { store, fleetOn } = await openTestWorld();
  const fleet = fleetOn(store);
  const target = await createTarget(fleet, "Cluster", "c");
  await fleet.patch(CALLER, target, { spec: { n: 1 } }, { idempotency: ONCE });
  await fleet.patch(CALLER, target, { spec: { n: 2 } });
  expect(await fleet.patch(CALLER, target, { spec: { n: 1 } }, { idempotency: ONCE })).toMatchObject({
    answer: { body: "first" },
  });
  expect((await fleet.get(CALLER, target)).resource).toMatchObject({ generation: 2, spec: { n: 2 } });
  await store.close();
});

describe("two processes on one store", () => {
  test("lose no changes, and count every one", async () => {
    const { store, fleets } = await openTwo();
    const target = await createTarget(fleets[0], "Cluster", "c");
    const changes = Array.from({ length: 40 }, (_, n) =>
      (fleets[n % 2] ?? fleets[0]).patch(CALLER, target, { spec: { n: n + 10 } }),
    );
    await Promise.all(changes);
    const seen = await fleets[0].get(CALLER, target);
    const journal = await store.journal({ scope: EVERY_TENANT, resourceId: target.id, limit: 100 });
    expect(seen.resource.generation).toBe(41);
    expect(new Set(journal.map(({ generation }) => generation)).size).toBe(41);
    await store.close();
  });

  test("accept concurrent reports on all children and the parent, and the last one removes the tree", async () => {
    const { store, fleets, clock } = await openTwo();
    const [one, two] = fleets;
    const target = await createTarget(one, "Cluster", "c");
    const pools = await Promise.all(
      Array.from({ length: 12 }, (_, n) => createTarget(fleets[n % 2] ?? one, "Pool", `p-${n}`, target)),
    );
    await one.delete(CALLER, target);
    const finalized = (adapter: string): JsonObject => report(clock, adapter, 2, "True");
    const reports = pools.map((pool, n) => (fleets[n % 2] ?? one).report(CALLER, pool, finalized("a")));
    await Promise.all([
      one.report(CALLER, target, finalized("a")),
      ...reports,
      two.report(CALLER, target, finalized("b")),
    ]);
    expect(
      (await store.list({ scope: EVERY_TENANT, order: DEFAULT_ORDER, page: { kind: "page", page: 1, size: 5 } })).total,
    ).toBe(0);
    await store.close();
  });

  test("give up with an error on a resource that changes constantly", async () => {
    const world = await openTestWorld();
    const target = await createTarget(world.fleetOn(world.store), "Cluster", "c");
    const changing = new Proxy(world.store, {
      get: (on, name) => (name === "commit" ? () => Promise.resolve({ kind: "conflict" }) : bound(on, name)),
    });
    const patch = world.fleetOn(changing).patch(CALLER, target, { spec: {} });
    const outcome = patch.catch((error: unknown) => error);
    await world.clock.advance(10_000);
    expect(await outcome).toMatchObject({ reason: "busy" });
    await world.store.close();
  });
});

function bound(store: FleetStore, name: string | symbol): unknown {
  const member: unknown = Reflect.get(store, name);
  return typeof member === "function" ? member.bind(store) : member;
}

async function openTwo(): Promise<{
  readonly store: FleetStore;
  readonly clock: Clock;
  readonly fleets: readonly [Fleet, Fleet];
}> {
  const clock = realClock;
  const random = seededRandom(5);
  const store = await openStore({ kind: "sqlite", path: ":memory:" }, { clock, random, logger: silentLogger });
  const fleet = (): Fleet => new Fleet({ store, kinds: KINDS, clock, random });
  return { store, clock, fleets: [fleet(), fleet()] };
}

describe("tenants", () => {
  const tenant = (name: string): Caller => {
    const tenancy = { org: name };
    return { ...CALLER, identity: name, tenancy, scope: { kind: "tenant", tenancy } };
  };

  test("neither see, change nor refer to resources of other tenants", async () => {
    const world = await openTestWorld();
    const fleet = world.fleetOn(world.store);
    const cluster = KINDS.find("Cluster");
    const link = KINDS.find("Link");
    if (cluster === undefined || link === undefined) throw new TypeError("there are no such kinds");
    const [mine, yours] = [tenant("mine"), tenant("yours")];
    const declared = { kind: cluster, parent: undefined, name: "prod", spec: {}, labels: {}, references: {} };
    const done = await fleet.create(mine, declared);
    const target = { id: done.kind === "done" ? done.result.resource.id : "" };
    expect((await fleet.create(yours, declared)).kind).toBe("done");
    await expect(fleet.create(mine, declared)).rejects.toMatchObject({ reason: "exists" });
    const refused = { reason: "not-found" };
    await expect(fleet.get(yours, target)).rejects.toMatchObject(refused);
    await expect(fleet.statuses(yours, target)).rejects.toMatchObject(refused);
    await expect(fleet.history(yours, target, { limit: 1 })).rejects.toMatchObject(refused);
    await expect(fleet.patch(yours, target, { labels: {} })).rejects.toMatchObject(refused);
    await expect(fleet.delete(yours, target)).rejects.toMatchObject(refused);
    await expect(fleet.forceDelete(yours, target, "x")).rejects.toMatchObject(refused);
    await expect(fleet.report(yours, target, report(world.clock, "a", 1))).rejects.toMatchObject(refused);
    const linked = { ...declared, kind: link, references: { to: [target] } };
    await expect(fleet.create(yours, linked)).rejects.toMatchObject({ reason: "invalid" });
    expect((await fleet.create(mine, linked)).kind).toBe("done");
    expect(await fleet.audit(yours, { resourceId: target.id, limit: 10 })).toEqual([]);
    await world.store.close();
  });
});

test("the readiness of a parent follows its own rule, which may count its children", async () => {
  const clock = new VirtualClock();
  const random = seededRandom(3);
  const kinds = readKinds([
    { kind: "Cluster", plural: "clusters", required_adapters: ["a"], aggregation: { ready: "self.children > 0" } },
    { kind: "Pool", plural: "pools", parent_kind: "Cluster", on_parent_delete: "cascade" },
  ]);
  const store = await openStore({ kind: "sqlite", path: ":memory:" }, { clock, random, logger: silentLogger });
  const fleet = new Fleet({ store, kinds, clock, random });
  const [cluster, pool] = kinds.all;
  if (cluster === undefined || pool === undefined) throw new TypeError("there are two kinds");
  const declared = { name: "x", spec: {}, labels: {}, references: {} };
  const parent = await fleet.create(CALLER, { ...declared, kind: cluster, parent: undefined });
  const id = parent.kind === "done" ? parent.result.resource.id : "";
  const isReady = async (): Promise<string | undefined> => {
    return findResourceCondition((await fleet.get(CALLER, { id })).resource.conditions, "Ready")?.status;
  };
  expect(await isReady()).toBe("False");
  const child = await fleet.create(CALLER, { ...declared, kind: pool, parent: { id } });
  expect(await isReady()).toBe("True");
  await fleet.delete(CALLER, { id: child.kind === "done" ? child.result.resource.id : "" });
  expect(await isReady()).toBe("False");
  await store.close();
});
