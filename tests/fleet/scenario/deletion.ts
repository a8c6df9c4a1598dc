import { expect, test } from "vitest";
import { B } from "../http.ts";
import type { StartFleet } from "../running-fleet.ts";
import { CLUSTER_ADAPTERS, freshName, freshTime, POOL_ADAPTERS, reportBody, rollUps } from "../user.ts";
import { describeOn } from "./suite.ts";
import type { Shared } from "./suite.ts";

/** Scenarios 50 to 58: how resources go. */
export function describeDeletion(start: StartFleet): void {
  describeOn("deleting", start, (shared) => {
    describeMarking(shared);
    describeFinalizing(shared);
    describeForce(shared);
    describeFamilies(shared);
  });
}

function describeMarking(shared: () => Shared): void {
  test("50. a deletion is a new generation, of the cluster and of its node pools", async () => {
    const { user } = shared();
    const cluster = await user.cluster();
    const pool = await user.pool(cluster.id);
    await user.all(cluster.id, 1, "True");
    const answer = await user.http.delete(cluster.href);
    expect(answer.status).toBe(202);
    const deleted = answer.resource;
    expect(deleted).toMatchObject({ generation: 2, deleted_by: "system@hyperfleet.local" });
    expect(Date.parse(deleted.deleted_time ?? "")).not.toBeNaN();
    expect(rollUps(deleted)).toEqual(["F@2 ReconciledMissingAdapters", "T@1 AllAdaptersReconciled"]);
    expect(await user.read(pool)).toMatchObject({ generation: 2, deleted_time: deleted.deleted_time });
  });

  test("50. to delete again changes nothing", async () => {
    const { user } = shared();
    const cluster = await user.cluster();
    const first = await user.http.delete(cluster.href);
    const again = await user.http.delete(cluster.href);
    expect([again.status, again.json]).toEqual([202, first.json]);
  });

  test("52. what is being deleted is still shown, but changed no more, and gets no children", async () => {
    const { user } = shared();
    const cluster = await user.cluster();
    const pool = await user.pool(cluster.id);
    const deleted = (await user.http.delete(cluster.href)).resource;
    expect(await user.read(cluster)).toEqual(deleted);
    const search = encodeURIComponent(`id='${cluster.id}'`);
    expect((await user.http.get(`${B}/clusters?search=${search}`)).resources.items).toEqual([deleted]);
    expect((await user.http.patch(cluster.href, { spec: { a: 1 } })).refusal).toBe("409 CNF-003");
    expect((await user.http.patch(pool.href, { spec: { a: 1 } })).refusal).toBe("409 CNF-003");
    const body = { kind: "NodePool", name: freshName(), spec: {} };
    expect((await user.http.post(`${cluster.href}/nodepools`, body)).refusal).toBe("409 CNF-003");
  });

  test("56. its name may be used again at once", async () => {
    const { user } = shared();
    const cluster = await user.cluster();
    await user.http.delete(cluster.href);
    const next = await user.cluster({ name: cluster.name });
    expect(next.id).not.toBe(cluster.id);
    expect(next.generation).toBe(1);
  });
}

function describeFinalizing(shared: () => Shared): void {
  test("53. it is gone with the report of the last adapter that finalized it", async () => {
    const { user } = shared();
    const cluster = await user.cluster();
    await user.http.delete(cluster.href);
    await user.all(cluster.id, 2, "False", { finalized: "True" });
    expect((await user.http.get(cluster.href)).refusal).toBe("404 NTF-001");
    expect((await user.http.get(`${cluster.href}/statuses`)).refusal).toBe("404 NTF-001");
    expect((await user.http.delete(cluster.href)).refusal).toBe("404 NTF-001");
  });

  test("54. it stays while an adapter is missing, was finalized at an older generation, or says that it is not", async () => {
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
  test("57. a deletion is forced only where one is under way, with a reason, and takes everything along", async () => {
    const { user } = shared();
    const cluster = await user.cluster();
    const pool = await user.pool(cluster.id);
    const force = (body: unknown) => user.http.post(`${cluster.href}/force-delete`, body);
    expect((await force({ reason: "stuck" })).refusal).toBe("409 CNF-003");
    await user.http.delete(cluster.href);
    for (const body of [{}, { reason: "" }, { reason: "x".repeat(1025) }, { reason: 7 }]) {
      const answer = await force(body);
      expect(answer.refusal).toBe("400 VAL-000");
      expect(answer.problem.errors?.map(({ field }) => field)).toEqual(["reason"]);
    }
    const stale = await user.http.post(`${cluster.href}/force-delete`, { reason: "stuck" }, { "if-match": '"1.1"' });
    expect(stale.refusal).toBe("412 CNF-002");
    const done = await force({ reason: "😀".repeat(1024) });
    expect([done.status, done.text]).toEqual([204, ""]);
    expect((await user.http.get(cluster.href)).refusal).toBe("404 NTF-001");
    expect((await user.http.get(`${B}/nodepools/${pool.id}`)).refusal).toBe("404 NTF-001");
    expect((await force({ reason: "stuck" })).refusal).toBe("404 NTF-001");
  });
}

function describeFamilies(shared: () => Shared): void {
  test("58. a channel with an active version is not deleted; without, it goes at once", async () => {
    const { user } = shared();
    const channel = await user.plain("Channel");
    const version = await user.create(`/channels/${channel.id}/versions`, { kind: "Version", name: "v1", spec: {} });
    const refused = await user.http.delete(channel.href);
    expect([refused.refusal, refused.problem.detail]).toEqual(["409 CNF-003", expect.stringContaining("active")]);
    expect((await user.read(channel)).generation).toBe(1);
    const gone = await user.http.delete(version.href);
    expect([gone.status, gone.resource.deleted_time]).toEqual([202, expect.any(String)]);
    expect((await user.http.get(version.href)).status).toBe(404);
    expect((await user.http.delete(channel.href)).status).toBe(202);
    expect((await user.http.get(channel.href)).status).toBe(404);
  });

  test("a cluster whose adapters are done waits for its node pools, says so, and goes with the last of them", async () => {
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
      expect((await user.http.get(`${B}/nodepools/${pool.id}`)).status).toBe(404);
    }
    expect(messages).toEqual([expect.stringContaining("remaining: 2"), expect.stringContaining("remaining: 1")]);
    expect((await user.http.get(cluster.href)).refusal).toBe("404 NTF-001");
  });

  test("a parent never outlives its last child, in whatever order and however close the last reports come", async () => {
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
      const answers = await Promise.all(
        turned.map(({ href, adapter }) => {
          const body = reportBody(adapter, 2, "False", { finalized: "True", time: freshTime() });
          return user.http.put(`${href}/statuses`, body);
        }),
      );
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
      expect((await user.http.get(cluster.href)).status).toBe(404);
    }
  });
}
