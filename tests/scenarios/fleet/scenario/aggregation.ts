import { expect, test } from "vitest";
import { API_BASE } from "../../../support/fleet/http.ts";
import type { StartFleet } from "../../../support/fleet/running-fleet.ts";
import {
  CLUSTER_ADAPTERS,
  conditionOf,
  freshTime,
  POOL_ADAPTERS,
  rollUps,
  formatCondition,
} from "../../../support/fleet/fleet-user.ts";
import { describeOn } from "./suite.ts";
import type { Shared } from "./suite.ts";

/** Aggregation of adapter reports, including edge cases. */
export function describeAggregation(start: StartFleet): void {
  describeOn("the aggregate of reports", start, (shared) => {
    describeReady(shared);
    describeAvailable(shared);
    describeStable(shared);
    describeEdgeCases(shared);
  });
}

function describeReady(shared: () => Shared): void {
  test("a cluster is ready and available once all adapters have reported, with the last transition and the oldest report time", async () => {
    const { user } = shared();
    const { id } = await user.cluster();
    const times = await user.all(id, 1, "True");
    const cluster = await user.read(id);
    expect(rollUps(cluster)).toEqual(["T@1 ReconciledAll", "T@1 AllAdaptersReconciled"]);
    for (const type of ["Validation", "Dns", "Pullsecret", "Hypershift"].map((name) => `${name}Successful`)) {
      expect(conditionOf(cluster, type)).toMatchObject({ status: "True", observed_generation: 1 });
    }
    expect(conditionOf(cluster, "Reconciled").last_updated_time).toBe(times[0]);
    // The time of the report that changed the status, not of the oldest.
    expect(conditionOf(cluster, "Reconciled").last_transition_time).toBe(times.at(-1));
    expect(conditionOf(cluster, "LastKnownReconciled").last_transition_time).toBe(times.at(-1));
  });

  test("the message names the missing adapter", async () => {
    const { user } = shared();
    const { id } = await user.cluster();
    await user.all(id, 1, "True", { adapters: CLUSTER_ADAPTERS.slice(0, 3) });
    const ready = await user.condition(id, "Reconciled");
    expect(formatCondition(ready)).toBe("F@1 ReconciledMissingAdapters");
    expect(ready.message).toBe(
      "Required adapters not reporting Available=True: [hypershift]. Currently reporting: [dns, pullsecret, validation]",
    );
  });
}

function describeAvailable(shared: () => Shared): void {
  test("a change ends Ready at once and leaves Available at the previous generation", async () => {
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

  test("a new generation is ready once the last adapter has reported, and Available stays True", async () => {
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

  test("reports on an older generation make it available there, and not ready", async () => {
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
  test("Unknown changes no condition", async () => {
    const { user } = shared();
    const { id } = await user.cluster();
    await user.all(id, 1, "True");
    const before = JSON.stringify((await user.read(id)).status);
    expect((await user.report(id, "dns", 1, "Unknown")).status).toBe(204);
    expect(JSON.stringify((await user.read(id)).status)).toBe(before);
  });

  test("a repeated state keeps creation and transition times, and refreshes the report time", async () => {
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

/** A node pool has two adapters. */
function describeEdgeCases(shared: () => Shared): void {
  const [a, b] = POOL_ADAPTERS;

  test("a refresh in progress neither ends Ready nor refreshes the report time", async () => {
    const { user } = shared();
    const pool = await user.pool((await user.cluster()).id);
    const times = await user.all(pool.href, 1, "True", { adapters: POOL_ADAPTERS });
    const before = await user.read(pool);
    expect((await user.report(pool.href, a, 1, "Unknown")).status).toBe(204);
    expect(await user.read(pool)).toEqual(before);
    await user.report(pool.href, a, 1, "True");
    expect(await user.condition(pool, "Reconciled")).toMatchObject({ status: "True", last_updated_time: times[1] });
  });

  test("mixed generations are not ready, and available at the old one even if the new one fails", async () => {
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

  test("after a recovery with mixed generations it is neither ready nor available until all agree", async () => {
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

  test("a kind without required adapters has no conditions, whatever is reported", async () => {
    const { user } = shared();
    const channel = await user.plain("Channel");
    expect(channel.status.conditions).toEqual([]);
    expect((await user.report(`${API_BASE}/channels/${channel.id}`, "dns", 1, "False")).status).toBe(201);
    expect((await user.read(channel)).status.conditions).toEqual([]);
  });
}
