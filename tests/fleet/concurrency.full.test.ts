import { afterAll, beforeAll, expect, test } from "vitest";
import { inconsistencies } from "./consistency.ts";
import { startFleet } from "./harness.ts";
import { B } from "./http.ts";
import type { Answer } from "./http.ts";
import { onPostgres } from "./postgres-suite.ts";
import type { RunningFleet } from "./running-fleet.ts";
import { CLUSTER_ADAPTERS, freshName, freshTime, POOL_ADAPTERS, reportBody } from "./user.ts";
import type { FleetUser } from "./user.ts";

const TRIES_MAX = 50;

/** The user at one of two APIs, in turn. */
type UserAt = (index: number) => FleetUser;

onPostgres("two APIs on one PostgreSQL", ({ config }) => {
  let fleets: readonly RunningFleet[] = [];
  beforeAll(async () => {
    const shared = config();
    fleets = [await startFleet(shared), await startFleet(shared)];
  });
  afterAll(async () => {
    for (const fleet of fleets) await fleet[Symbol.asyncDispose]();
  });
  const fleetAt = (index: number): RunningFleet => {
    const fleet = fleets[index % fleets.length];
    if (fleet === undefined) throw new Error("the fleets did not start");
    return fleet;
  };

  describeChanges((index) => fleetAt(index).user);
  describeCreations((index) => fleetAt(index).user);
  describeFamilies((index) => fleetAt(index).user);

  test("after all of that, what is stored fits together", async () => {
    const { store, kinds } = fleetAt(0);
    expect(await inconsistencies(store, kinds, { isReplayed: false })).toEqual([]);
  });
});

function describeChanges(at: UserAt): void {
  test("the changes of sixty writers have generations without a gap", async () => {
    const cluster = await at(0).cluster();
    const answers = await Promise.all(
      numbers(60).map((index) => insisting(() => at(index).http.patch(cluster.href, { spec: { writer: index } }))),
    );
    const generations = answers.map(({ resource }) => resource.generation).toSorted((a, b) => a - b);
    expect(generations).toEqual(numbers(60).map((index) => index + 2));
    const last = answers.find(({ resource }) => resource.generation === 61);
    expect((await at(1).read(cluster)).spec).toEqual(last?.resource.spec);
  }, 60_000);

  test("no step is lost when many count up what they have read, each only if it is still so", async () => {
    const cluster = await at(0).cluster({ spec: { count: 0 } });
    const step = async (user: FleetUser): Promise<Answer> => {
      const { headers, resource } = await user.http.get(cluster.href);
      const spec = { count: Number(resource.spec["count"]) + 1 };
      return user.http.patch(cluster.href, { spec }, { "if-match": headers.etag ?? "" });
    };
    const count = async (user: FleetUser): Promise<void> => {
      for (let done = 0; done < 15;) {
        const answer = await insisting(() => step(user));
        expect(["200", "412 CNF-002"]).toContain(answer.refusal);
        if (answer.status === 200) done += 1;
      }
    };
    await Promise.all(numbers(8).map((index) => count(at(index))));
    expect(await at(1).read(cluster)).toMatchObject({ spec: { count: 120 }, generation: 121 });
  }, 60_000);
}

function describeCreations(at: UserAt): void {
  test("an idempotency key yields one resource and one answer", async () => {
    for (let round = 0; round < 10; round++) {
      const body = { kind: "Cluster", name: freshName(), spec: {} };
      const key = { "idempotency-key": freshName() };
      const answers = await Promise.all(
        numbers(20).map((index) => insisting(() => at(index).http.post(`${B}/clusters`, body, key))),
      );
      expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
      expect(answers[0]?.status).toBe(201);
    }
  }, 60_000);

  test("a name goes to one of many", async () => {
    for (let round = 0; round < 10; round++) {
      const body = { kind: "Cluster", name: freshName(), spec: {} };
      const answers = await Promise.all(
        numbers(20).map((index) => insisting(() => at(index).http.post(`${B}/clusters`, body))),
      );
      const codes = answers.map(({ refusal }) => refusal).toSorted();
      expect(codes).toEqual(["201", ...Array.from({ length: 19 }, () => "409 CNF-001")]);
    }
  }, 60_000);
}

function describeFamilies(at: UserAt): void {
  test("a parent never outlives its last child, whichever of them hears of it", async () => {
    for (let family = 0; family < 25; family++) {
      const user = at(family);
      const cluster = await user.cluster();
      const pools = [await user.pool(cluster.id), await user.pool(cluster.id)];
      await user.http.delete(cluster.href);
      const last = [
        ...CLUSTER_ADAPTERS.map((adapter) => ({ href: cluster.href, adapter })),
        ...pools.flatMap(({ href }) => POOL_ADAPTERS.map((adapter) => ({ href, adapter }))),
      ];
      const answers = await Promise.all(
        last.map(({ href, adapter }, index) => {
          const body = reportBody(adapter, 2, "False", { finalized: "True", time: freshTime() });
          return insisting(() => at(index + family).http.put(`${href}/statuses`, body));
        }),
      );
      expect(answers.map(({ refusal }) => refusal)).toEqual(answers.map(() => "201"));
      expect((await user.http.get(cluster.href)).refusal).toBe("404 NTF-001");
    }
  }, 60_000);

  test("a child of a parent that is being deleted is refused, or goes with it", async () => {
    for (let round = 0; round < 10; round++) {
      const cluster = await at(0).cluster();
      const create = (index: number): Promise<Answer> => {
        const body = { kind: "NodePool", name: freshName(), spec: {} };
        return insisting(() => at(index).http.post(`${cluster.href}/nodepools`, body));
      };
      const [deleted, ...answers] = await Promise.all([
        insisting(() => at(1).http.delete(cluster.href)),
        ...numbers(8).map(create),
      ]);
      expect(deleted?.status).toBe(202);
      for (const answer of answers) expect(["201", "409 CNF-003"]).toContain(answer.refusal);
      const { items } = (await at(0).http.get(`${cluster.href}/nodepools?size=100`)).resources;
      expect(items.filter(({ deleted_time: time }) => time === undefined)).toEqual([]);
      expect(items.length).toBe(answers.filter(({ status }) => status === 201).length);
    }
  }, 60_000);
}

function numbers(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index);
}

/** Asks again while the answer is that too many others are in the way, as a client is told to. */
async function insisting(send: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const answer = await send();
    if (answer.status !== 503) return answer;
  }
  throw new Error("it is busy for ever");
}
