import { isJsonObject } from "@levelset/core";
import { parseJson, stringifyJson } from "@levelset/core/internal";
import type { JsonObject } from "@levelset/core";
import { allConditions, DEFAULT_ORDER, displayedReport } from "@levelset/fleet/model";
import { EVERY_TENANT } from "@levelset/fleet/server";
import type { AdapterStatus, Resource } from "@levelset/fleet/model";
import type { ChangeSet } from "@levelset/fleet/server";
import type { FleetStore } from "@levelset/fleet";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseValidSearch } from "../../../packages/fleet/src/search/table.fixture.ts";
import {
  cluster,
  condition,
  create,
  entryOf,
  mustLoad,
  nodePool,
  report,
  statusOf,
  tenant,
  update,
  urgentWork,
} from "./fixtures.ts";
import type { StoreHarness } from "./harness.ts";

const RESPONSE = {
  key: "k",
  request: "hash",
  time: 1_000,
  status: 201,
  headers: { etag: '"1.1"' },
  body: '{"a":"\\u0000"}',
};

/** Commits: atomic, conditional, exactly once. */
export function describeChanges(harness: () => StoreHarness): void {
  describeKeeping(harness);
  describeConditions(harness);
  describeGuards(harness);
  describeRules(harness);
  describeMany(harness);
  describeKeys(harness);
}

/** Changes that succeed. */
function describeKeeping(harness: () => StoreHarness): void {
  describe("a change", () => {
    test("is loaded as it was committed, whatever its content", async () => {
      await using store = await harness().open();
      const anyText = fc.string({
        unit: fc.constantFrom("a", "\0", "\ud800", "\udc00", "\u{1f600}", "\\", '"', "u0000", "'"),
      });
      const value = fc.oneof(
        anyText,
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.boolean(),
        fc.constant(null),
        fc.constant(2n ** 60n),
      );
      const draft = fc.record({
        spec: fc.dictionary(anyText, fc.oneof(value, fc.array(value), fc.dictionary(anyText, value))),
        message: anyText,
      });
      let count = 0;
      const property = fc.asyncProperty(draft, async ({ spec, message }) => {
        const conditions = allConditions([{ ...condition("Reconciled", "False"), reason: "R", message }]);
        // As parsed from a request.
        const resource = cluster(`r${(count += 1)}`, { spec: read(spec), labels: { a: "b" }, conditions });
        await create(store, resource);
        const status = statusOf("dns");
        const reported: AdapterStatus = { ...status, progress: { ...displayedReport(status), data: read(spec) } };
        const stored = await mustLoad(store, resource.id);
        expect(stored).toEqual({ resource, revision: 1, statuses: [], children: 0 });
        await store.commit({
          ...(await report(store, resource.id, "dns", 2_000)),
          statuses: [{ resourceId: resource.id, status: reported }],
        });
        expect((await mustLoad(store, resource.id)).statuses).toEqual([reported]);
      });
      await fc.assert(property, { numRuns: 30 });
    });

    test("replaces the resource and increments the revision", async () => {
      await using store = await harness().open();
      const resource = cluster("a", { labels: { env: "dev" } });
      await create(store, resource, cluster("b"));
      const next = {
        spec: { region: "there" },
        labels: { env: "prod" },
        generation: 2,
        updatedTime: 2_000,
        updatedBy: "other",
      };
      const deletion = { deletion: { time: 3_000, by: "third" } };
      const first = await mustLoad(store, "a");
      await store.commit({ entry: entryOf(resource), updated: [update(first, next, true)] });
      const second = await mustLoad(store, "a");
      await store.commit({ entry: entryOf(resource), updated: [update(second, deletion)] });
      expect(await mustLoad(store, "a")).toEqual({
        resource: { ...resource, ...next, ...deletion },
        revision: 3,
        statuses: [],
        children: 0,
      });
      expect((await mustLoad(store, "b")).revision).toBe(1);
    });
  });
}

/** Conditions, which are stored separately. */
function describeConditions(harness: () => StoreHarness): void {
  describe("a change", () => {
    test("stores its conditions, also for searches, with or without the previous state", async () => {
      await using store = await harness().open();
      const sets = [
        { Reconciled: 1, LastKnownReconciled: 1, ADone: 1, BDone: 1 },
        { Reconciled: 1, LastKnownReconciled: 2, ADone: 1, CDone: 1 },
        { Reconciled: 3, LastKnownReconciled: 2 },
      ];
      const conditionsOf = (times: Readonly<Record<string, number>>): Resource["conditions"] => {
        return allConditions(Object.entries(times).map(([type, time]) => condition(type, "True", time)));
      };
      for (const says of [true, false]) {
        const id = `says-${says}`;
        await create(store, cluster(id, { conditions: [] }));
        for (const times of sets) {
          const stored = await mustLoad(store, id);
          const { before, ...rest } = {
            ...update(stored, { conditions: conditionsOf(times) }),
            before: stored.resource,
          };
          await store.commit({ entry: entryOf(stored.resource), updated: [says ? { ...rest, before } : rest] });
          expect((await mustLoad(store, id)).resource.conditions).toEqual(conditionsOf(times));
          expect([id, await timesFound(store, id)]).toEqual([id, times]);
        }
      }
    });
  });
}

/** Changes that conflict or are repeated. */
function describeGuards(harness: () => StoreHarness): void {
  describe("a change", () => {
    test("that relied on another revision changes no data", async () => {
      await using store = await harness().open();
      const [a, b] = [cluster("a"), cluster("b")];
      await create(store, a, b);
      const stale = { resource: a, revision: 7, isDeclared: true };
      const before = await everything(store);
      const attempts: readonly Partial<ChangeSet>[] = [
        {
          touched: [
            { id: "a", revision: 1 },
            { id: "b", revision: 2 },
          ],
        },
        { touched: [{ id: "absent", revision: 1 }] },
        { updated: [stale] },
        { removed: [stale] },
      ];
      for (const attempt of attempts) {
        const more = {
          created: [cluster("c")],
          statuses: [{ resourceId: "b", status: statusOf("dns") }],
          work: [urgentWork("b", 1)],
          response: RESPONSE,
        };
        expect(await store.commit({ entry: entryOf(a), ...more, ...attempt })).toEqual({ kind: "conflict" });
      }
      expect(await everything(store)).toEqual(before);
    });

    test("committed again takes effect once", async () => {
      await using store = await harness().open();
      const resource = cluster("a");
      const creation = { entry: entryOf(resource), created: [resource], response: RESPONSE };
      await store.commit(creation);
      const change = await report(store, "a", "dns", 2_000);
      await store.commit(change);
      const before = await everything(store);
      expect(await store.commit(creation)).toEqual({ kind: "committed" });
      expect(await store.commit(change)).toEqual({ kind: "committed" });
      expect(await everything(store)).toEqual(before);
    });
  });
}

/** Uniqueness rules. */
function describeRules(harness: () => StoreHarness): void {
  describe("a change", () => {
    test("reserves a name: once in a tenancy, once under an owner, until deletion begins", async () => {
      await using store = await harness().open();
      const [a, other] = [cluster("a", { name: "prod" }), cluster("b", { name: "prod", tenancy: { org: "x" } })];
      await create(store, a, other, nodePool("p", a, { name: "np" }), nodePool("q", other, { name: "np" }));
      const duplicate = { kind: "duplicate", what: "name" };
      const attempt = async (resource: Resource): Promise<unknown> => {
        return store.commit({ entry: entryOf(resource), created: [resource] });
      };
      expect(await attempt(cluster("c", { name: "prod" }))).toEqual(duplicate);
      expect(await attempt(cluster("c", { name: "prod", tenancy: { org: "x" } }))).toEqual(duplicate);
      expect(await attempt(nodePool("c", a, { name: "np" }))).toEqual(duplicate);
      const stored = await mustLoad(store, "a");
      await store.commit({ entry: entryOf(a), updated: [update(stored, { deletion: { time: 2_000, by: "user" } })] });
      expect(await attempt(cluster("c", { name: "prod" }))).toEqual({ kind: "committed" });
    });

    test("stores a response, and a second one with its key is refused", async () => {
      await using store = await harness().open();
      const [a, b] = [cluster("a"), cluster("b")];
      await store.commit({ entry: entryOf(a), created: [a], response: RESPONSE });
      expect(await store.commit({ entry: entryOf(b), created: [b], response: RESPONSE })).toEqual({
        kind: "duplicate",
        what: "answer",
      });
      expect([await store.idempotentResponse("k"), await store.idempotentResponse("absent")]).toEqual([
        RESPONSE,
        undefined,
      ]);
      expect(await store.load({ id: "b", scope: EVERY_TENANT })).toBeUndefined();
    });
  });
}

/** Concurrent changes. */
function describeMany(harness: () => StoreHarness): void {
  describe("a change", () => {
    test("succeeds for one of many concurrent writers, and the others retry", async () => {
      await using store = await harness().open();
      await create(store, cluster("a", { spec: { count: 0 } }));
      let conflicts = 0;
      const increment = async (): Promise<void> => {
        for (;;) {
          const stored = await mustLoad(store, "a");
          const spec = { count: Number(stored.resource.spec["count"]) + 1 };
          const outcome = await store.commit({
            entry: entryOf(stored.resource),
            updated: [update(stored, { spec }, true)],
          });
          if (outcome.kind === "committed") return;
          conflicts += 1;
        }
      };
      await Promise.all(Array.from({ length: 10 }, increment));
      expect(conflicts).toBeGreaterThan(0);
      expect(await mustLoad(store, "a")).toMatchObject({ revision: 11, resource: { spec: { count: 10 } } });
    });

    test("of a report costs two statements including its read, and notifies listeners", async () => {
      await using store = await harness().open();
      await create(store, cluster("a"));
      await store.commit(await report(store, "a", "dns", 2_000));
      const reported = Promise.withResolvers<void>();
      const end = store.onCommit(() => reported.resolve());
      const before = store.statements;
      await store.commit(await report(store, "a", "dns", 3_000));
      expect(store.statements - before).toBe(2);
      await reported.promise;
      end();
    });
  });
}

/** Visibility. */
function describeKeys(harness: () => StoreHarness): void {
  test("a resource of another kind, owner or tenant is not found", async () => {
    await using store = await harness().open();
    const a = cluster("a", { tenancy: { org: "x", team: "y" } });
    await create(store, a, nodePool("p", a), cluster("b"));
    const found = async (
      key: Omit<Parameters<FleetStore["load"]>[0], "scope">,
      scope = EVERY_TENANT,
    ): Promise<readonly boolean[]> => {
      const [one, family] = [await store.load({ scope, ...key }), await store.loadTree({ scope, ...key })];
      return [one !== undefined, family !== undefined];
    };
    expect(await found({ id: "p", kind: "NodePool", ownerId: "a" }, tenant({ team: "y", org: "x" }))).toEqual([
      true,
      true,
    ]);
    expect(await found({ id: "p", kind: "Cluster" })).toEqual([false, false]);
    expect(await found({ id: "p", ownerId: "b" })).toEqual([false, false]);
    expect(await found({ id: "p" }, tenant({ org: "x" }))).toEqual([false, false]);
    expect(await found({ id: "b" }, tenant({ org: "x" }))).toEqual([false, false]);
  });
}

/** Returns all queryable data of a small fleet. */
async function everything(store: FleetStore): Promise<unknown> {
  const scope = EVERY_TENANT;
  return {
    resources: await store.listPlans(["Cluster", "NodePool"], undefined, 100),
    journal: await store.journal({ scope, limit: 100 }),
    answer: await store.idempotentResponse("k"),
    next: await store.nextDueTime(["Cluster"]),
  };
}

/** Normalises like JSON: zero has one sign, and equal large integers are equal. */
function read(spec: unknown): JsonObject {
  const value = parseJson(stringifyJson(spec));
  if (!isJsonObject(value)) throw new TypeError("a spec is an object");
  return value;
}

/** Returns the condition times that searches find. */
async function timesFound(store: FleetStore, id: string): Promise<Readonly<Record<string, number>>> {
  const found: Record<string, number> = {};
  for (const type of ["Reconciled", "LastKnownReconciled", "ADone", "BDone", "CDone"]) {
    for (const time of [1, 2, 3]) {
      const text = `id = '${id}' and status.conditions.${type}.last_updated_time = '1970-01-01T00:00:00.00${time}Z'`;
      const part = { kind: "page", page: 1, size: 1 } as const;
      const { total } = await store.list({
        scope: EVERY_TENANT,
        order: DEFAULT_ORDER,
        search: parseValidSearch(text),
        page: part,
      });
      if (total === 1) found[type] = time;
    }
  }
  return found;
}
