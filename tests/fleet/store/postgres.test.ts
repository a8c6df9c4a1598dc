import { EVERY_TENANT, migrateStore, openStore, SCHEMA_VERSION, StoreUnusable } from "@levelset/fleet";
import type { FleetStore } from "@levelset/fleet";
import { describe, expect, test } from "vitest";
import { POSTGRES } from "../../../packages/fleet/src/store/dialect.ts";
import { onServer } from "../../support/server-process.ts";
import { describeStore } from "./contract.ts";
import { CuttingProxy } from "./cutting-proxy.ts";
import type { Cut } from "./cutting-proxy.ts";
import { cluster, create, entryOf, loaded, report, reportedCluster } from "./draft.ts";
import { suiteHarness, WORLD } from "./harness.ts";
import { fill, smallInSpecs, smallStatements } from "./small-statements.ts";
import { startPostgresHarness } from "./postgres-harness.ts";
import type { PostgresHarness } from "./postgres-harness.ts";
import { POSTGRESQL } from "../../../tools/system/need.ts";

/** How many changes go together. */
const TOGETHER = 8;

onServer("PostgreSQL", POSTGRESQL, () => {
  const harness = suiteHarness(startPostgresHarness);
  describeStore("PostgreSQL", harness);
  describe("PostgreSQL alone", () => {
    describeOrder(harness);
    describeSchema(harness);
    describeSignals(harness);
    describeCuts(harness);
    describeBatches(harness);
    describePlans(harness);
  });
});

function describeOrder(harness: () => PostgresHarness): void {
  test("nothing that is committed later comes before a position that was given out", async () => {
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
  test("a database without tables is refused with the command that helps, and migrated once by however many", async () => {
    const config = { ...harness().config, schema: "fresh" };
    await expect(openStore(config, WORLD)).rejects.toThrow(/version 0.*levelset fleet migrate/);
    const migrations = await Promise.all(Array.from({ length: 3 }, () => migrateStore(config, WORLD)));
    expect(migrations.map(({ from }) => from).toSorted((a, b) => a - b)).toEqual([0, SCHEMA_VERSION, SCHEMA_VERSION]);
    await using store = await openStore(config, WORLD);
    await store.ping();
  });

  test("tables of a newer version are refused and left alone", async () => {
    const config = { ...harness().config, schema: "newer" };
    await migrateStore(config, WORLD);
    await using client = await harness().client();
    await client.query(`INSERT INTO newer.schema_version (version) VALUES (${SCHEMA_VERSION + 1})`);
    for (const attempt of [() => openStore(config, WORLD), () => migrateStore(config, WORLD)]) {
      await expect(attempt()).rejects.toThrow(StoreUnusable);
      await expect(attempt()).rejects.toThrow(/newer levelset/);
    }
  });

  test("a password that is wrong is in no message", async () => {
    const { config } = harness();
    const wrong = { ...config, password: "hush-hush", patienceMs: 2_000 };
    const failure = await openStore(wrong, WORLD).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(StoreUnusable);
    expect(String(failure)).not.toContain("hush-hush");
    await expect(openStore({ ...config, url: "http://fleet:hush-hush@x/y" }, WORLD)).rejects.toThrow(
      /^(?!.*hush-hush).*postgres:\/\//,
    );
    await expect(openStore({ ...config, url: `${config.url}?sslmode=require` }, WORLD)).rejects.toThrow(/TLS/);
    await expect(openStore({ ...config, schema: 'x"; DROP' }, WORLD)).rejects.toThrow(StoreUnusable);
  });
}

function describeSignals(harness: () => PostgresHarness): void {
  test("a commit of one process is told to another, also after its connection was cut", async () => {
    await using store = await harness().open();
    await using other = await openStore(harness().config, WORLD);
    const heard = new Hearer(other);
    // The first is when it begins to listen.
    await heard.next();
    await create(store, cluster("a"));
    await heard.next();
    await using client = await harness().client();
    await client.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'levelset-fleet' AND pid <> pg_backend_pid()",
    );
    await heard.next();
    await create(store, cluster("b"));
    await heard.next();
    expect((await other.loadAll(["a", "b"])).length).toBe(2);
  });
}

function describeCuts(harness: () => PostgresHarness): void {
  test("wherever a connection is cut, a change happens once and is known to have", async () => {
    const cuts = await cutEverywhere(harness(), cutOnce);
    expect(Math.min(...cuts)).toBeGreaterThan(0);
    expect(cuts.reduce((sum, count) => sum + count)).toBeGreaterThan(4);
  });

  test("the same holds for changes that go together", async () => {
    // How many pieces a statement and its answer are sent in is the network's business; each way and each moment there must be one.
    expect(Math.min(...(await cutEverywhere(harness(), cutTogether)))).toBeGreaterThan(0);
  });
}

/** Cuts at every piece that is sent, one after the other, in both directions, before and after it. Says at how many of each. */
async function cutEverywhere(harness: PostgresHarness, attempt: typeof cutOnce): Promise<readonly number[]> {
  await using plain = await harness.open();
  const { config, server } = harness;
  await using proxy = await CuttingProxy.start(server.port);
  await using store = await openStore(
    { ...config, url: server.url.replace(`:${server.port}/`, `:${proxy.port}/`) },
    WORLD,
  );
  const cuts: number[] = [];
  for (const direction of ["to server", "to client"] as const) {
    for (const when of ["before", "after"] as const) {
      let piece = 1;
      while (await attempt(store, plain, proxy, { direction, when, piece })) piece += 1;
      cuts.push(piece - 1);
    }
  }
  return cuts;
}

/** Reports on several at once while the connection is cut. Says whether it was. */
async function cutTogether(store: FleetStore, plain: FleetStore, proxy: CuttingProxy, cut: Cut): Promise<boolean> {
  const ids = Array.from({ length: TOGETHER }, (_, n) => `${cut.direction}-${cut.when}-${cut.piece}-${n}`);
  await create(plain, ...ids.map(reportedCluster));
  const changes = await Promise.all(ids.map((id) => report(plain, id, "dns", 2_000)));
  proxy.cutOnce(cut);
  const outcomes = await Promise.all(changes.map((change) => store.commit(change)));
  const isCut = !proxy.heal();
  expect(outcomes.map(({ kind }) => kind)).toEqual(ids.map(() => "committed"));
  for (const id of ids) {
    expect((await loaded(plain, id)).revision).toBe(2);
    const reports = await plain.journal({ scope: EVERY_TENANT, resourceId: id, actions: ["report"], limit: 10 });
    expect(reports.length).toBe(1);
  }
  return isCut;
}

function describeBatches(harness: () => PostgresHarness): void {
  test("changes that come together share a statement", async () => {
    await using store = await harness().open();
    const ids = await manyClusters(store);
    const changes = await Promise.all(ids.map((id) => report(store, id, "dns", 2_000)));
    const before = store.statements;
    const outcomes = await Promise.all(changes.map((change) => store.commit(change)));
    expect(outcomes.map(({ kind }) => kind)).toEqual(ids.map(() => "committed"));
    expect(store.statements - before).toBe(1);
  });

  test("one of them that is refused is not in the way of the others", async () => {
    await using store = await harness().open();
    const ids = await manyClusters(store);
    const changes = await Promise.all(ids.map((id) => report(store, id, "dns", 2_000)));
    await store.commit(await report(store, "c-3", "dns", 3_000));
    const outcomes = await Promise.all(changes.map((change) => store.commit(change)));
    expect(outcomes.map(({ kind }) => kind)).toEqual(ids.map((id) => (id === "c-3" ? "conflict" : "committed")));
    const stored = await store.loadAll(ids);
    expect(stored.map(({ revision }) => revision)).toEqual(ids.map(() => 2));
  });

  test("two processes that change the same resources, and a Sentinel that gives them back, do not wait for each other in a circle", async () => {
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
          claims.toReversed().map(({ stored, plan }) => {
            return { resourceId: stored.resource.id, holder, plan, pulsedTime: time, refreshTime: time };
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

/** Makes several, with work that is due, and gives their ids. */
async function manyClusters(store: FleetStore): Promise<readonly string[]> {
  const ids = Array.from({ length: TOGETHER }, (_, n) => `c-${n}`);
  await create(store, ...ids.map(reportedCluster));
  await store.plan(ids.map((resourceId) => ({ resourceId, kind: "Cluster", refreshTime: 2_000 })));
  return ids;
}

/** Creates and reports while the connection is cut. Says whether it was. */
async function cutOnce(store: FleetStore, plain: FleetStore, proxy: CuttingProxy, cut: Cut): Promise<boolean> {
  const id = `${cut.direction}-${cut.when}-${cut.piece}`;
  const resource = cluster(id);
  await create(plain, resource);
  const change = await report(plain, id, "dns", 2_000);
  const another = cluster(`${id}-other`);
  proxy.cutOnce(cut);
  const outcomes = [await store.commit(change), await store.commit({ entry: entryOf(another), created: [another] })];
  const isCut = !proxy.heal();
  expect([id, outcomes]).toEqual([id, [{ kind: "committed" }, { kind: "committed" }]]);
  const { revision, statuses } = await loaded(plain, id);
  expect([id, revision, statuses.length]).toEqual([id, 2, 1]);
  expect((await plain.journal({ scope: EVERY_TENANT, resourceId: id, limit: 10 })).length).toBe(2);
  expect((await loaded(plain, another.id)).revision).toBe(1);
  return isCut;
}

function describePlans(harness: () => PostgresHarness): void {
  test("what has a small answer looks at few rows, however large the fleet is", async () => {
    await using store = await harness().open();
    await fill(store);
    await using client = await harness().client();
    await client.query("ANALYZE");
    for (const [name, { text, parameters }] of [...smallStatements(POSTGRES), ...smallInSpecs(POSTGRES)]) {
      await client.query("BEGIN");
      const { rows } = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, [...parameters]);
      await client.query("ROLLBACK");
      expect([name, rowsLookedAt(rows[0]["QUERY PLAN"][0].Plan)]).toEqual([
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

/** How many rows of tables and indexes a statement went through. */
function rowsLookedAt(node: PlanNode): number {
  const own = node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0);
  const isTable = /^(?:Seq|Index|Index Only|Bitmap Heap|Bitmap Index) Scan$/.test(node["Node Type"]);
  const below = (node.Plans ?? []).reduce((sum, inner) => sum + rowsLookedAt(inner), 0);
  return below + (isTable ? own * node["Actual Loops"] : 0);
}

/** Hears of commits, one after the other. */
class Hearer {
  #heard = 0;
  #wake = Promise.withResolvers<void>();

  constructor(store: FleetStore) {
    store.onCommit(() => {
      this.#heard += 1;
      this.#wake.resolve();
    });
  }

  async next(): Promise<void> {
    while (this.#heard === 0) await this.#wake.promise;
    this.#heard = 0;
    this.#wake = Promise.withResolvers<void>();
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
