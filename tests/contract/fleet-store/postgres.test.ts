import { EVERY_TENANT, SCHEMA_VERSION, StoreUnusableError } from "@levelset/fleet/server";
import { migrateStore, openStore } from "@levelset/fleet";
import type { FleetStore } from "@levelset/fleet";
import { describe, expect, test } from "vitest";
import { POSTGRES_DIALECT } from "../../../packages/fleet/src/store/dialect.ts";
import { onServer } from "../../support/server-process.ts";
import { describeStore } from "./contract.ts";
import { TcpProxy } from "../../support/tcp-proxy.ts";
import type { PlannedCut } from "../../support/tcp-proxy.ts";
import { cluster, create, entryOf, mustLoad, report, reportedCluster } from "./fixtures.ts";
import { suiteHarness, WORLD } from "./harness.ts";
import { fill, specIndexedStatements, indexedStatements } from "./indexed-statements.ts";
import { startPostgresHarness } from "./postgres-harness.ts";
import type { PostgresHarness } from "./postgres-harness.ts";
import { POSTGRESQL } from "../../../tools/system/system-requirement.ts";

/** The number of batched changes. */
const BATCH_SIZE = 8;

onServer("PostgreSQL", POSTGRESQL, () => {
  const harness = suiteHarness(startPostgresHarness);
  describeStore("PostgreSQL", harness);
  describe("PostgreSQL only", () => {
    describeOrder(harness);
    describeSchema(harness);
    describeSignals(harness);
    describeCuts(harness);
    describeBatches(harness);
    describePlans(harness);
  });
});

function describeOrder(harness: () => PostgresHarness): void {
  test("a later commit never appears before a returned position", async () => {
    await using store = await harness().open();
    await using slow = await harness().client();
    const after = await store.feedEnd();
    await create(store, cluster("slow"), cluster("quick"));
    const { position } = await changesAfter(store, after);
    await slow.query("BEGIN");
    await slow.query(
      "UPDATE changes SET transaction = pg_current_xact_id(), number = nextval('change_numbers') WHERE resource_id = 'slow'",
    );
    await store.commit(await report(store, "quick", "dns", 2_000));
    const meanwhile = await changesAfter(store, position);
    expect(meanwhile.ids).toEqual([]);
    await slow.query("COMMIT");
    expect((await changesAfter(store, meanwhile.position)).ids).toEqual(["slow", "quick"]);
    expect((await changesAfter(store, position)).ids).toEqual(["slow", "quick"]);
  });
}

function describeSchema(harness: () => PostgresHarness): void {
  test("a database without tables is refused with the command to run, and migrated once by concurrent processes", async () => {
    const config = { ...harness().config, schema: "fresh" };
    await expect(openStore(config, WORLD)).rejects.toThrow(/version 0.*levelset fleet migrate/);
    const migrations = await Promise.all(Array.from({ length: 3 }, () => migrateStore(config, WORLD)));
    expect(migrations.map(({ from }) => from).toSorted((a, b) => a - b)).toEqual([0, SCHEMA_VERSION, SCHEMA_VERSION]);
    await using store = await openStore(config, WORLD);
    await store.ping();
  });

  test("tables of a newer version are refused and left unchanged", async () => {
    const config = { ...harness().config, schema: "newer" };
    await migrateStore(config, WORLD);
    await using client = await harness().client();
    await client.query(`INSERT INTO newer.schema_version (version) VALUES (${SCHEMA_VERSION + 1})`);
    for (const attempt of [() => openStore(config, WORLD), () => migrateStore(config, WORLD)]) {
      await expect(attempt()).rejects.toThrow(StoreUnusableError);
      await expect(attempt()).rejects.toThrow(/newer levelset/);
    }
  });

  test("a wrong password appears in no message", async () => {
    const { config } = harness();
    const wrong = { ...config, password: "hush-hush", retryTimeoutMs: 2_000 };
    const failure = await openStore(wrong, WORLD).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(StoreUnusableError);
    expect(String(failure)).not.toContain("hush-hush");
    await expect(openStore({ ...config, url: "http://fleet:hush-hush@x/y" }, WORLD)).rejects.toThrow(
      /^(?!.*hush-hush).*postgres:\/\//,
    );
    await expect(openStore({ ...config, url: `${config.url}?sslmode=require` }, WORLD)).rejects.toThrow(/TLS/);
    await expect(openStore({ ...config, schema: 'x"; DROP' }, WORLD)).rejects.toThrow(StoreUnusableError);
  });
}

function describeSignals(harness: () => PostgresHarness): void {
  test("a commit of one process notifies another, also after a reconnect", async () => {
    await using store = await harness().open();
    await using other = await openStore(harness().config, WORLD);
    const received = new CommitWaiter(other);
    // The first notification is the start of listening.
    await received.next();
    await create(store, cluster("a"));
    await received.next();
    await using client = await harness().client();
    await client.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'levelset-fleet' AND pid <> pg_backend_pid()",
    );
    await received.next();
    await create(store, cluster("b"));
    await received.next();
    expect((await other.loadAll(["a", "b"])).length).toBe(2);
  });
}

function describeCuts(harness: () => PostgresHarness): void {
  test("a change takes effect exactly once, wherever the connection is cut", async () => {
    const cuts = await cutEverywhere(harness(), cutOnce);
    expect(Math.min(...cuts)).toBeGreaterThan(0);
    expect(cuts.reduce((sum, count) => sum + count)).toBeGreaterThan(4);
  });

  test("the same applies to batched changes", async () => {
    // The number of chunks depends on the network; there must be one for each direction and moment.
    expect(Math.min(...(await cutEverywhere(harness(), cutTogether)))).toBeGreaterThan(0);
  });
}

/** Cuts at every chunk in both directions, before and after it. Returns the number of cuts for each. */
async function cutEverywhere(harness: PostgresHarness, attempt: typeof cutOnce): Promise<readonly number[]> {
  await using plain = await harness.open();
  const { config, server } = harness;
  await using proxy = await TcpProxy.start(server.port);
  await using store = await openStore(
    { ...config, url: server.url.replace(`:${server.port}/`, `:${proxy.port}/`) },
    WORLD,
  );
  const cuts: number[] = [];
  for (const direction of ["to server", "to client"] as const) {
    for (const when of ["before", "after"] as const) {
      let chunk = 1;
      while (await attempt(store, plain, proxy, { direction, when, chunk })) chunk += 1;
      cuts.push(chunk - 1);
    }
  }
  return cuts;
}

/** Reports on several resources while the connection is cut. Returns whether it was cut. */
async function cutTogether(store: FleetStore, plain: FleetStore, proxy: TcpProxy, cut: PlannedCut): Promise<boolean> {
  const ids = Array.from({ length: BATCH_SIZE }, (_, n) => `${cut.direction}-${cut.when}-${cut.chunk}-${n}`);
  await create(plain, ...ids.map(reportedCluster));
  const changes = await Promise.all(ids.map((id) => report(plain, id, "dns", 2_000)));
  proxy.cutOnce(cut);
  const outcomes = await Promise.all(changes.map((change) => store.commit(change)));
  const isCut = !proxy.disarm();
  expect(outcomes.map(({ kind }) => kind)).toEqual(ids.map(() => "committed"));
  for (const id of ids) {
    expect((await mustLoad(plain, id)).revision).toBe(2);
    const reports = await plain.journal({ scope: EVERY_TENANT, resourceId: id, actions: ["report"], limit: 10 });
    expect(reports.length).toBe(1);
  }
  return isCut;
}

function describeBatches(harness: () => PostgresHarness): void {
  test("concurrent changes share a statement", async () => {
    await using store = await harness().open();
    const ids = await manyClusters(store);
    const changes = await Promise.all(ids.map((id) => report(store, id, "dns", 2_000)));
    const before = store.statements;
    const outcomes = await Promise.all(changes.map((change) => store.commit(change)));
    expect(outcomes.map(({ kind }) => kind)).toEqual(ids.map(() => "committed"));
    expect(store.statements - before).toBe(1);
  });

  test("a refused change does not affect the others of its batch", async () => {
    await using store = await harness().open();
    const ids = await manyClusters(store);
    const changes = await Promise.all(ids.map((id) => report(store, id, "dns", 2_000)));
    await store.commit(await report(store, "c-3", "dns", 3_000));
    const outcomes = await Promise.all(changes.map((change) => store.commit(change)));
    expect(outcomes.map(({ kind }) => kind)).toEqual(ids.map((id) => (id === "c-3" ? "conflict" : "committed")));
    const stored = await store.loadAll(ids);
    expect(stored.map(({ revision }) => revision)).toEqual(ids.map(() => 2));
  });

  test("two processes that change the same resources, and a Sentinel that completes claims, do not deadlock", async () => {
    await using store = await harness().open();
    await using other = await openStore(harness().config, WORLD);
    const ids = await manyClusters(store);
    const holder = "sentinel";
    for (let time = 2_000; time < 2_030; time += 1) {
      const claims = await store.claim({ holder, now: 1_000_000, leaseMs: 1, limit: 100, kinds: ["Cluster"] });
      const changes = await Promise.all(ids.map((id) => report(store, id, "dns", time)));
      const twins = await Promise.all(ids.toReversed().map((id) => report(store, id, "validation", time)));
      const outcomes = await Promise.all([
        ...changes.map((change) => store.commit(change)),
        ...twins.map((change) => other.commit(change)),
        other.complete(
          claims.toReversed().map(({ resource, counters }) => {
            return { resourceId: resource.resource.id, holder, counters, pulsedTime: time, refreshTime: time };
          }),
        ),
      ]);
      const committed = outcomes.filter((outcome) => outcome?.kind === "committed");
      expect(committed.length).toBe(ids.length);
    }
    await using client = await harness().client();
    const { rows } = await client.query("SELECT sum(deadlocks)::int AS deadlocks FROM pg_stat_database");
    expect(rows).toEqual([{ deadlocks: 0 }]);
  });
}

/** Creates several clusters with due work, and returns the IDs. */
async function manyClusters(store: FleetStore): Promise<readonly string[]> {
  const ids = Array.from({ length: BATCH_SIZE }, (_, n) => `c-${n}`);
  await create(store, ...ids.map(reportedCluster));
  await store.schedule(ids.map((resourceId) => ({ resourceId, kind: "Cluster", refreshTime: 2_000 })));
  return ids;
}

/** Creates and reports while the connection is cut. Returns whether it was cut. */
async function cutOnce(store: FleetStore, plain: FleetStore, proxy: TcpProxy, cut: PlannedCut): Promise<boolean> {
  const id = `${cut.direction}-${cut.when}-${cut.chunk}`;
  const resource = cluster(id);
  await create(plain, resource);
  const change = await report(plain, id, "dns", 2_000);
  const another = cluster(`${id}-other`);
  proxy.cutOnce(cut);
  const outcomes = [await store.commit(change), await store.commit({ entry: entryOf(another), created: [another] })];
  const isCut = !proxy.disarm();
  expect([id, outcomes]).toEqual([id, [{ kind: "committed" }, { kind: "committed" }]]);
  const { revision, statuses } = await mustLoad(plain, id);
  expect([id, revision, statuses.length]).toEqual([id, 2, 1]);
  expect((await plain.journal({ scope: EVERY_TENANT, resourceId: id, limit: 10 })).length).toBe(2);
  expect((await mustLoad(plain, another.id)).revision).toBe(1);
  return isCut;
}

function describePlans(harness: () => PostgresHarness): void {
  test("a statement with a small result reads few rows, however large the fleet is", async () => {
    await using store = await harness().open();
    await fill(store);
    await using client = await harness().client();
    await client.query("ANALYZE");
    for (const [name, { text, parameters }] of [
      ...indexedStatements(POSTGRES_DIALECT),
      ...specIndexedStatements(POSTGRES_DIALECT),
    ]) {
      await client.query("BEGIN");
      const { rows } = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, [...parameters]);
      await client.query("ROLLBACK");
      expect([name, rowsRead(rows[0]["QUERY PLAN"][0].Plan)]).toEqual([
        name,
        expect.toSatisfy((count) => count <= 200),
      ]);
    }
  });
}

interface PlanNode {
  readonly "Node Type": string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly PlanNode[];
}

/** Returns the number of table and index rows that a statement read. */
function rowsRead(node: PlanNode): number {
  const own = node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0);
  const isTable = /^(?:Seq|Index|Index Only|Bitmap Heap|Bitmap Index) Scan$/.test(node["Node Type"]);
  const below = (node.Plans ?? []).reduce((sum, inner) => sum + rowsRead(inner), 0);
  return below + (isTable ? own * node["Actual Loops"] : 0);
}

/** Waits for commit notifications, one after the other. */
class CommitWaiter {
  #received = 0;
  #notify = Promise.withResolvers<void>();

  constructor(store: FleetStore) {
    store.onCommit(() => {
      this.#received += 1;
      this.#notify.resolve();
    });
  }

  async next(): Promise<void> {
    while (this.#received === 0) await this.#notify.promise;
    this.#received = 0;
    this.#notify = Promise.withResolvers<void>();
  }
}

async function changesAfter(
  store: FleetStore,
  after: string,
): Promise<{ readonly ids: readonly string[]; readonly position: string }> {
  const part = await store.feed({ scope: EVERY_TENANT, after, limit: 100 });
  if (part.kind === "expired") throw new Error("the position has expired");
  return { ids: part.changes.map(({ resource }) => resource.id), position: part.position };
}
