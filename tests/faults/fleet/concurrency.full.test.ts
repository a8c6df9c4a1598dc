import { afterAll, beforeAll, expect, test } from "vitest";
import { inconsistencies } from "./consistency.ts";
import { startFleet } from "../../support/fleet/running-fleet.ts";
import { API_BASE } from "../../support/fleet/http.ts";
import type { FleetResponse } from "../../support/fleet/http.ts";
import { onPostgres } from "../../support/fleet/postgres-suite.ts";
import type { RunningFleet } from "../../support/fleet/running-fleet.ts";
import { CLUSTER_ADAPTERS, freshName, freshTime, POOL_ADAPTERS, reportBody } from "../../support/fleet/fleet-user.ts";
import type { FleetUser } from "../../support/fleet/fleet-user.ts";

const TRIES_MAX = 50;

/** Returns the user of one of two APIs, alternating. */
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

  test("after all these tests, the store is consistent", async () => {
    const { store, kinds } = fleetAt(0);
    expect(await inconsistencies(store, kinds, { isReplayed: false })).toEqual([]);
  });
});

function describeChanges(at: UserAt): void {
  test("the changes of sixty writers have generations without gaps", async () => {
    const cluster = await at(0).cluster();
    const responses = await Promise.all(
      numbers(60).map((index) => retrying(() => at(index).http.patch(cluster.href, { spec: { writer: index } }))),
    );
    const generations = responses.map(({ resource }) => resource.generation).toSorted((a, b) => a - b);
    expect(generations).toEqual(numbers(60).map((index) => index + 2));
    const last = responses.find(({ resource }) => resource.generation === 61);
    expect((await at(1).read(cluster)).spec).toEqual(last?.resource.spec);
  });

  test("no update is lost when many clients increment a value with If-Match", async () => {
    const cluster = await at(0).cluster({ spec: { count: 0 } });
    const step = async (user: FleetUser): Promise<FleetResponse> => {
      const { headers, resource } = await user.http.get(cluster.href);
      const spec = { count: Number(resource.spec["count"]) + 1 };
      return user.http.patch(cluster.href, { spec }, { "if-match": headers.etag ?? "" });
    };
    const count = async (user: FleetUser): Promise<void> => {
      for (let done = 0; done < 15;) {
        const response = await retrying(() => step(user));
        expect(["200", "412 CNF-002"]).toContain(response.problemSummary);
        if (response.status === 200) done += 1;
      }
    };
    await Promise.all(numbers(8).map((index) => count(at(index))));
    expect(await at(1).read(cluster)).toMatchObject({ spec: { count: 120 }, generation: 121 });
  });
}

function describeCreations(at: UserAt): void {
  test("an idempotency key yields one resource and one response", async () => {
    for (let round = 0; round < 10; round++) {
      const body = { kind: "Cluster", name: freshName(), spec: {} };
      const key = { "idempotency-key": freshName() };
      const responses = await Promise.all(
        numbers(20).map((index) => retrying(() => at(index).http.post(`${API_BASE}/clusters`, body, key))),
      );
      expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
      expect(responses[0]?.status).toBe(201);
    }
  });

  test("only one of many creates with the same name succeeds", async () => {
    for (let round = 0; round < 10; round++) {
      const body = { kind: "Cluster", name: freshName(), spec: {} };
      const responses = await Promise.all(
        numbers(20).map((index) => retrying(() => at(index).http.post(`${API_BASE}/clusters`, body))),
      );
      const codes = responses.map(({ problemSummary }) => problemSummary).toSorted();
      expect(codes).toEqual(["201", ...Array.from({ length: 19 }, () => "409 CNF-001")]);
    }
  });
}

function describeFamilies(at: UserAt): void {
  test("a parent is removed with its last child, whichever API handles the report", async () => {
    for (let family = 0; family < 25; family++) {
      const user = at(family);
      const cluster = await user.cluster();
      const pools = [await user.pool(cluster.id), await user.pool(cluster.id)];
      await user.http.delete(cluster.href);
      const last = [
        ...CLUSTER_ADAPTERS.map((adapter) => ({ href: cluster.href, adapter })),
        ...pools.flatMap(({ href }) => POOL_ADAPTERS.map((adapter) => ({ href, adapter }))),
      ];
      const responses = await Promise.all(
        last.map(({ href, adapter }, index) => {
          const body = reportBody(adapter, 2, "False", { finalized: "True", time: freshTime() });
          return retrying(() => at(index + family).http.put(`${href}/statuses`, body));
        }),
      );
      expect(responses.map(({ problemSummary }) => problemSummary)).toEqual(responses.map(() => "201"));
      expect((await user.http.get(cluster.href)).problemSummary).toBe("404 NTF-001");
    }
  });

  test("a child of a parent in deletion is rejected, or deleted with it", async () => {
    for (let round = 0; round < 10; round++) {
      const cluster = await at(0).cluster();
      const create = (index: number): Promise<FleetResponse> => {
        const body = { kind: "NodePool", name: freshName(), spec: {} };
        return retrying(() => at(index).http.post(`${cluster.href}/nodepools`, body));
      };
      const [deleted, ...responses] = await Promise.all([
        retrying(() => at(1).http.delete(cluster.href)),
        ...numbers(8).map(create),
      ]);
      expect(deleted?.status).toBe(202);
      for (const response of responses) expect(["201", "409 CNF-003"]).toContain(response.problemSummary);
      const { items } = (await at(0).http.get(`${cluster.href}/nodepools?size=100`)).resources;
      expect(items.filter(({ deleted_time: time }) => time === undefined)).toEqual([]);
      expect(items.length).toBe(responses.filter(({ status }) => status === 201).length);
    }
  });
}

function numbers(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index);
}

/** Retries while the response is that the resource is contended, as clients should. */
async function retrying(send: () => Promise<FleetResponse>): Promise<FleetResponse> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const response = await send();
    if (response.status !== 503) return response;
  }
  throw new Error("still busy after all retries");
}
