import { expect, test } from "vitest";
import { B } from "../http.ts";
import type { StartFleet } from "../running-fleet.ts";
import { CLUSTER_ADAPTERS, conditionOf, freshTime, POOL_ADAPTERS, rollUps, shown } from "../user.ts";
import { describeOn } from "./suite.ts";
import type { Shared } from "./suite.ts";

/** Scenarios 33 to 41, and the edge cases that the proposal left open. */
export function describeAggregation(start: StartFleet): void {
  describeOn("what reports add up to", start, (shared) => {
    describeReady(shared);
    describeAvailable(shared);
    describeStable(shared);
    describeEdgeCases(shared);
  });
}

function describeReady(shared: () => Shared): void {
  test("33. once all adapters are there, a cluster is ready and available, since the last and on the oldest report", async () => {
    const { user } = shared();
    const { id } = await user.cluster();
    const times = await user.all(id, 1, "True");
    const cluster = await user.read(id);
    expect(rollUps(cluster)).toEqual(["T@1 ReconciledAll", "T@1 AllAdaptersReconciled"]);
    for (const type of ["Validation", "Dns", "Pullsecret", "Hypershift"].map((name) => `${name}Successful`)) {
      expect(conditionOf(cluster, type)).toMatchObject({ status: "True", observed_generation: 1 });
    }
    expect(conditionOf(cluster, "Reconciled").last_updated_time).toBe(times[0]);
    // Decided: the time of the report that flipped the status, not of the oldest.
    expect(conditionOf(cluster, "Reconciled").last_transition_time).toBe(times.at(-1));
    expect(conditionOf(cluster, "LastKnownReconciled").last_transition_time).toBe(times.at(-1));
  });

  test("34. while one adapter is missing, the message names it", async () => {
    const { user } = shared();
    const { id } = await user.cluster();
    await user.all(id, 1, "True", { adapters: CLUSTER_ADAPTERS.slice(0, 3) });
    const ready = await user.condition(id, "Reconciled");
    expect(shown(ready)).toBe("F@1 ReconciledMissingAdapters");
    expect(ready.message).toBe(
      "Required adapters not reporting Available=True: [hypershift]. Currently reporting: [dns, pullsecret, validation]",
    );
  });
}

function describeAvailable(shared: () => Shared): void {
  test("35. a change ends Ready at once and leaves Available at the generation before", async () => {
    const { user } = shared();
    const { id, href } = await user.cluster();
    await user.all(id, 1, "True");
    const before = await user.condition(id, "LastKnownReconciled");
    const changed = (await user.http.patch(href, { spec: { a: 1 } })).resource;
    expect(rollUps(changed)).toEqual(["F@2 ReconciledMissingAdapters", "T@1 AllAdaptersReconciled"]);
    expect(conditionOf(changed, "Reconciled").last_transition_time).toBe(changed.updated_time);
    expect(conditionOf(changed, "LastKnownReconciled")).toEqual(before);
    expect(await user.read(id)).toEqual(changed);
  });

  test("36. the new generation is reached when the last adapter is there, and Available has never been away", async () => {
    const { user } = shared();
    const { id, href } = await user.cluster();
    await user.all(id, 1, "True");
    const since = (await user.condition(id, "LastKnownReconciled")).last_transition_time;
    await user.http.patch(href, { spec: { a: 1 } });
    await user.report(id, "validation", 2, "True");
    expect(rollUps(await user.read(id))).toEqual(["F@2 ReconciledMissingAdapters", "T@1 AllAdaptersReconciled"]);
    await user.all(id, 2, "True", { adapters: CLUSTER_ADAPTERS.slice(1) });
    const cluster = await user.read(id);
    expect(rollUps(cluster)).toEqual(["T@2 ReconciledAll", "T@2 AllAdaptersReconciled"]);
    expect(conditionOf(cluster, "LastKnownReconciled").last_transition_time).toBe(since);
  });

  test("39. reports on an older generation make it available there, and not ready", async () => {
    const { user } = shared();
    const { id, href } = await user.cluster();
    await user.http.patch(href, { spec: { a: 1 } });
    await user.all(id, 1, "True");
    expect(rollUps(await user.read(id))).toEqual(["F@2 ReconciledMissingAdapters", "T@1 AllAdaptersReconciled"]);
    await user.all(id, 2, "True");
    expect(rollUps(await user.read(id))).toEqual(["T@2 ReconciledAll", "T@2 AllAdaptersReconciled"]);
  });
}

function describeStable(shared: () => Shared): void {
  test("40. Unknown changes no condition, not by one byte", async () => {
    const { user } = shared();
    const { id } = await user.cluster();
    await user.all(id, 1, "True");
    const before = JSON.stringify((await user.read(id)).status);
    expect((await user.report(id, "dns", 1, "Unknown")).status).toBe(204);
    expect(JSON.stringify((await user.read(id)).status)).toBe(before);
  });

  test("41. the same state again keeps creation and transition, and is younger evidence", async () => {
    const { user } = shared();
    const { id } = await user.cluster();
    await user.all(id, 1, "True");
    const before = await user.read(id);
    const times = await user.all(id, 1, "True");
    const after = await user.read(id);
    for (const type of ["Reconciled", "LastKnownReconciled", "DnsSuccessful"]) {
      const [was, is] = [conditionOf(before, type), conditionOf(after, type)];
      expect([is.created_time, is.last_transition_time]).toEqual([was.created_time, was.last_transition_time]);
    }
    expect(conditionOf(after, "Reconciled").last_updated_time).toBe(times[0]);
    expect(after.generation).toBe(1);
    expect(after.updated_time).toBe(before.updated_time);
  });
}

/** A node pool has two adapters, as the traces have. */
function describeEdgeCases(shared: () => Shared): void {
  const [a, b] = POOL_ADAPTERS;

  test("edge case 1: a refresh in progress neither ends Ready nor makes its evidence younger", async () => {
    const { user } = shared();
    const pool = await user.pool((await user.cluster()).id);
    const times = await user.all(pool.href, 1, "True", { adapters: POOL_ADAPTERS });
    const before = await user.read(pool);
    expect((await user.report(pool.href, a, 1, "Unknown")).status).toBe(204);
    expect(await user.read(pool)).toEqual(before);
    await user.report(pool.href, a, 1, "True");
    expect(await user.condition(pool, "Reconciled")).toMatchObject({ status: "True", last_updated_time: times[1] });
  });

  test("edge case 2: mixed generations are not ready, and available at the old one even if the new one fails", async () => {
    const { user } = shared();
    const pool = await user.pool((await user.cluster()).id);
    await user.all(pool.href, 1, "True", { adapters: POOL_ADAPTERS });
    await user.http.patch(pool.href, { spec: { replicas: 5 } });
    await user.report(pool.href, a, 2, "False");
    expect(rollUps(await user.read(pool))).toEqual(["F@2 ReconciledMissingAdapters", "T@1 AllAdaptersReconciled"]);
    await user.report(pool.href, b, 1, "False");
    expect(rollUps(await user.read(pool))).toEqual([
      "F@2 ReconciledMissingAdapters",
      "F@2 AdapterReportedNotAvailable",
    ]);
    await user.all(pool.href, 2, "True", { adapters: POOL_ADAPTERS });
    expect(rollUps(await user.read(pool))).toEqual(["T@2 ReconciledAll", "T@2 AllAdaptersReconciled"]);
  });

  test("edge case 3: who recovers with mixed generations is neither ready nor available until all agree", async () => {
    const { user } = shared();
    const pool = await user.pool((await user.cluster()).id);
    await user.all(pool.href, 1, "True", { adapters: POOL_ADAPTERS });
    const time = freshTime();
    await user.report(pool.href, a, 1, "False", { time });
    const failed = await user.read(pool);
    expect(rollUps(failed)).toEqual(["F@1 ReconciledMissingAdapters", "F@1 AdapterReportedNotAvailable"]);
    expect(conditionOf(failed, "Reconciled").last_transition_time).toBe(new Date(time).toISOString());
    await user.http.patch(pool.href, { spec: { replicas: 5 } });
    await user.report(pool.href, a, 2, "True");
    expect(rollUps(await user.read(pool))).toEqual([
      "F@2 ReconciledMissingAdapters",
      "F@2 AdaptersNotAtSameGeneration",
    ]);
    await user.report(pool.href, b, 2, "True");
    expect(rollUps(await user.read(pool))).toEqual(["T@2 ReconciledAll", "T@2 AllAdaptersReconciled"]);
  });

  test("decided: a kind without required adapters carries no conditions, whatever is reported on it", async () => {
    const { user } = shared();
    const channel = await user.plain("Channel");
    expect(channel.status.conditions).toEqual([]);
    expect((await user.report(`${B}/channels/${channel.id}`, "dns", 1, "False")).status).toBe(201);
    expect((await user.read(channel)).status.conditions).toEqual([]);
  });
}
