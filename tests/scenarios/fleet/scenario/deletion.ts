import { expect, test } from "vitest";
import { API_BASE } from "../../../support/fleet/http.ts";
import type { StartFleet } from "../../../support/fleet/running-fleet.ts";
import {
  CLUSTER_ADAPTERS,
  freshName,
  freshTime,
  POOL_ADAPTERS,
  reportBody,
  rollUps,
} from "../../../support/fleet/fleet-user.ts";
import { describeOn } from "./suite.ts";
import type { Shared } from "./suite.ts";

/** Deletion. */
export function describeDeletion(start: StartFleet): void {
  describeOn("deleting", start, (shared) => {
    describeMarking(shared);
    describeFinalizing(shared);
    describeForce(shared);
    describeFamilies(shared);
  });
}

function describeMarking(shared: () => Shared): void {
  test("a deletion is a new generation of the cluster and of its node pools", async () => {
    const { user } = shared();
    const cluster = await user.cluster();
    const pool = await user.pool(cluster.id);
    await user.all(cluster.id, 1, "True");
    const response = await user.http.delete(cluster.href);
    expect(response.status).toBe(202);
    const deleted = response.resource;
    expect(deleted).toMatchObject({ generation: 2, deleted_by: "system@hyperfleet.local" });
    expect(Date.parse(deleted.deleted_time ?? "")).not.toBeNaN();
    expect(rollUps(deleted)).toEqual(["F@2 ReconciledMissingAdapters", "T@1 AllAdaptersReconciled"]);
    expect(await user.read(pool)).toMatchObject({ generation: 2, deleted_time: deleted.deleted_time });
  });

  test("a repeated deletion has no effect", async () => {
    const { user } = shared();
    const cluster = await user.cluster();
    const first = await user.http.delete(cluster.href);
    const again = await user.http.delete(cluster.href);
    expect([again.status, again.json]).toEqual([202, first.json]);
  });

  test("a resource that is being deleted is readable, but cannot be changed or get children", async () => {
    const { user } = shared();
    const cluster = await user.cluster();
    const pool = await user.pool(cluster.id);
    const deleted = (await user.http.delete(cluster.href)).resource;
    expect(await user.read(cluster)).toEqual(deleted);
    const search = encodeURIComponent(`id='${cluster.id}'`);
    expect((await user.http.get(`${API_BASE}/clusters?search=${search}`)).resources.items).toEqual([deleted]);
    expect((await user.http.patch(cluster.href, { spec: { a: 1 } })).problemSummary).toBe("409 CNF-003");
    expect((await user.http.patch(pool.href, { spec: { a: 1 } })).problemSummary).toBe("409 CNF-003");
    const body = { kind: "NodePool", name: freshName(), spec: {} };
    expect((await user.http.post(`${cluster.href}/nodepools`, body)).problemSummary).toBe("409 CNF-003");
  });

  test("the name of a resource that is being deleted can be reused at once", async () => {
    const { user } = shared();
    const cluster = await user.cluster();
    await user.http.delete(cluster.href);
    const next = await user.cluster({ name: cluster.name });
    expect(next.id).not.toBe(cluster.id);
    expect(next.generation).toBe(1);
  });
}

function describeFinalizing(shared: () => Shared): void {
  test("a resource is removed with the report of the last adapter that finalized it", async () => {
    const { user } = shared();
    const cluster = await user.cluster();
    await user.http.delete(cluster.href);
    await user.all(cluster.id, 2, "False", { finalized: "True" });
    expect((await user.http.get(cluster.href)).problemSummary).toBe("404 NTF-001");
    expect((await user.http.get(`${cluster.href}/statuses`)).problemSummary).toBe("404 NTF-001");
    expect((await user.http.delete(cluster.href)).problemSummary).toBe("404 NTF-001");
  });

  test("a resource stays while an adapter is missing, finalized an older generation, or has not finalized", async () => {
    const { user } = shared();
    const cluster = await user.cluster();
    // On a cluster that is not being deleted, Finalized has no meaning.
    await user.all(cluster.id, 1, "True", { finalized: "True" });
    expect(rollUps(await user.read(cluster))[0]).toBe("T@1 ReconciledAll");
    await user.http.delete(cluster.href);
    await user.all(cluster.id, 2, "False", { finalized: "True", adapters: CLUSTER_ADAPTERS.slice(0, 3) });
    const ready = await user.condition(cluster, "Reconciled");
    expect(ready.message).toContain("Finalized=True: [hypershift]");
    for (const [generation, finalized] of [
      [1, "True"],
      [2, "False"],
    ] as const) {
      await user.report(cluster.id, "hypershift", generation, "False", { finalized });
      expect((await user.http.get(cluster.href)).status).toBe(200);
    }
    expect((await user.report(cluster.id, "hypershift", 2, "False", { finalized: "True" })).status).toBe(201);
    expect((await user.http.get(cluster.href)).status).toBe(404);
  });
}

function describeForce(shared: () => Shared): void {
  test("a forced deletion requires a pending deletion and a reason, and removes all descendants", async () => {
    const { user } = shared();
    const cluster = await user.cluster();
    const pool = await user.pool(cluster.id);
    const force = (body: unknown) => user.http.post(`${cluster.href}/force-delete`, body);
    expect((await force({ reason: "stuck" })).problemSummary).toBe("409 CNF-003");
    await user.http.delete(cluster.href);
    for (const body of [{}, { reason: "" }, { reason: "x".repeat(1025) }, { reason: 7 }]) {
      const response = await force(body);
      expect(response.problemSummary).toBe("400 VAL-000");
      expect(response.problem.errors?.map(({ field }) => field)).toEqual(["reason"]);
    }
    const stale = await user.http.post(`${cluster.href}/force-delete`, { reason: "stuck" }, { "if-match": '"1.1"' });
    expect(stale.problemSummary).toBe("412 CNF-002");
    const done = await force({ reason: "😀".repeat(1024) });
    expect([done.status, done.text]).toEqual([204, ""]);
    expect((await user.http.get(cluster.href)).problemSummary).toBe("404 NTF-001");
    expect((await user.http.get(`${API_BASE}/nodepools/${pool.id}`)).problemSummary).toBe("404 NTF-001");
    expect((await force({ reason: "stuck" })).problemSummary).toBe("404 NTF-001");
  });
}

function describeFamilies(shared: () => Shared): void {
  test("a channel with an active version is not deleted; without one it is removed at once", async () => {
    const { user } = shared();
    const channel = await user.plain("Channel");
    const version = await user.create(`/channels/${channel.id}/versions`, { kind: "Version", name: "v1", spec: {} });
    const refused = await user.http.delete(channel.href);
    expect([refused.problemSummary, refused.problem.detail]).toEqual([
      "409 CNF-003",
      expect.stringContaining("active"),
    ]);
    expect((await user.read(channel)).generation).toBe(1);
    const deleted = await user.http.delete(version.href);
    expect([deleted.status, deleted.resource.deleted_time]).toEqual([202, expect.any(String)]);
    expect((await user.http.get(version.href)).status).toBe(404);
    expect((await user.http.delete(channel.href)).status).toBe(202);
    expect((await user.http.get(channel.href)).status).toBe(404);
  });

  test("a finalized cluster waits for its node pools, reports it, and is removed with the last of them", async () => {
    const { user } = shared();
    const cluster = await user.cluster();
    const pools = [await user.pool(cluster.id), await user.pool(cluster.id)];
    await user.http.delete(cluster.href);
    await user.all(cluster.id, 2, "False", { finalized: "True" });
    expect((await user.condition(cluster, "Reconciled")).reason).toBe("ReconciledWaitingForChildren");
    const messages: (string | undefined)[] = [];
    for (const pool of pools) {
      messages.push((await user.condition(cluster, "Reconciled")).message);
      await user.all(pool.href, 2, "False", { finalized: "True", adapters: POOL_ADAPTERS });
      expect((await user.http.get(`${API_BASE}/nodepools/${pool.id}`)).status).toBe(404);
    }
    expect(messages).toEqual([expect.stringContaining("remaining: 2"), expect.stringContaining("remaining: 1")]);
    expect((await user.http.get(cluster.href)).problemSummary).toBe("404 NTF-001");
  });

  test("a parent is removed with its last child, for any order and timing of the last reports", async () => {
    const { user } = shared();
    for (let round = 0; round < 12; round++) {
      const cluster = await user.cluster();
      const pools = [await user.pool(cluster.id), await user.pool(cluster.id)];
      await user.http.delete(cluster.href);
      const last = [
        ...CLUSTER_ADAPTERS.map((adapter) => ({ href: cluster.href, adapter })),
        ...pools.flatMap(({ href }) => POOL_ADAPTERS.map((adapter) => ({ href, adapter }))),
      ];
      const turned = [...last.slice(round % last.length), ...last.slice(0, round % last.length)];
      const responses = await Promise.all(
        turned.map(({ href, adapter }) => {
          const body = reportBody(adapter, 2, "False", { finalized: "True", time: freshTime() });
          return user.http.put(`${href}/statuses`, body);
        }),
      );
      expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 201));
      expect((await user.http.get(cluster.href)).status).toBe(404);
    }
  });
}
