import type { JsonObject } from "@levelset/core";
import { describe, expect, test } from "vitest";
import { DEFAULT_TTL, timeText } from "../resource/index.ts";
import { conditionIn, TestFleet, bodyText } from "./fleet-api.fixture.ts";
import type { TestResponse } from "./fleet-api.fixture.ts";

test("a cluster is created, becomes ready, is changed, and is removed when its adapters have finalized", async () => {
  await using fleet = await TestFleet.open();
  const id = await fleet.create("/clusters", "Cluster", "prod");
  const path = `/clusters/${id}`;
  const created = await fleet.call("GET", path);
  expect(created.json).toMatchObject({
    generation: 1,
    href: `/api/hyperfleet/v1/clusters/${id}`,
    created_by: "system@hyperfleet.local",
  });
  expect([conditionIn(created, "Ready"), conditionIn(created, "Reconciled")]).toEqual(["False", "False"]);
  expect((await fleet.report(path, "dns", 1, "True")).status).toBe(201);
  expect((await fleet.report(path, "validation", 1, "True")).status).toBe(201);
  expect(conditionIn(await fleet.call("GET", path), "Ready")).toBe("True");
  const patched = await fleet.call("PATCH", path, { spec: { region: "y" } });
  expect([
    patched.status,
    patched.json["generation"],
    conditionIn(patched, "Ready"),
    conditionIn(patched, "Available"),
  ]).toEqual([200, 2, "False", "True"]);
  const deleted = await fleet.call("DELETE", path);
  expect([deleted.status, deleted.json["generation"]]).toEqual([202, 3]);
  expect((await fleet.call("DELETE", path)).json).toEqual(deleted.json);
  expect((await fleet.call("PATCH", path, { labels: {} })).json["code"]).toBe("HYPERFLEET-CNF-003");
  await fleet.report(path, "dns", 3, "False", "True");
  expect((await fleet.call("GET", path)).status).toBe(200);
  expect((await fleet.report(path, "validation", 3, "False", "True")).status).toBe(201);
  expect((await fleet.call("GET", path)).json["code"]).toBe("HYPERFLEET-NTF-001");
  expect((await fleet.call("GET", `${path}/statuses`)).status).toBe(404);
});

describe("deletion of parents and children", () => {
  test("a parent is removed with its last child, in the same report", async () => {
    await using fleet = await TestFleet.open();
    const id = await fleet.create("/clusters", "Cluster", "prod");
    const pool = await fleet.create(`/clusters/${id}/nodepools`, "NodePool", "pool-1");
    await fleet.call("DELETE", `/clusters/${id}`);
    await fleet.report(`/clusters/${id}`, "dns", 2, "False", "True");
    await fleet.report(`/clusters/${id}`, "validation", 2, "False", "True");
    const waiting = await fleet.call("GET", `/clusters/${id}`);
    expect(waiting.text).toContain("ReconciledWaitingForChildren");
    await fleet.report(`/clusters/${id}/nodepools/${pool}`, "validation", 2, "False", "True");
    expect((await fleet.call("GET", "/resources")).json["total"]).toBe(0);
  });

  test("removing a resource removes all ancestors that only waited for it", async () => {
    await using fleet = await TestFleet.open();
    const id = await fleet.create("/clusters", "Cluster", "prod");
    const pool = await fleet.create(`/clusters/${id}/nodepools`, "NodePool", "pool-1");
    const path = `/clusters/${id}/nodepools/${pool}`;
    const disk = await fleet.create(`${path}/disks`, "Disk", "d");
    expect((await fleet.call("GET", `${path}/disks/${disk}`)).json["href"]).toBe(
      `/api/hyperfleet/v1${path}/disks/${disk}`,
    );
    await fleet.call("DELETE", `/clusters/${id}`);
    expect((await fleet.call("GET", `/disks/${disk}`)).status).toBe(404);
    for (const adapter of ["dns", "validation"]) await fleet.report(`/clusters/${id}`, adapter, 2, "False", "True");
    await fleet.report(path, "validation", 2, "False", "True");
    expect((await fleet.call("GET", "/resources")).json["total"]).toBe(0);
  });

  test("the adapters of a parent are pulsed at once when the last child is removed", async () => {
    await using fleet = await TestFleet.open();
    const id = await fleet.create("/clusters", "Cluster", "prod");
    const pool = await fleet.create(`/clusters/${id}/nodepools`, "NodePool", "pool-1");
    await fleet.call("DELETE", `/clusters/${id}`);
    await fleet.claimWork();
    await fleet.report(`/nodepools/${pool}`, "validation", 2, "False", "True");
    expect(await fleet.claimWork()).toEqual([{ id, cause: "wake" }]);
  });

  test("an active child of a restricting kind prevents deletion of its parent", async () => {
    await using fleet = await TestFleet.open();
    const channel = await fleet.create("/channels", "Channel", "stable");
    const version = await fleet.create(`/channels/${channel}/versions`, "Version", "v1");
    const refused = await fleet.call("DELETE", `/channels/${channel}`);
    expect([refused.status, refused.json["code"]]).toEqual([409, "HYPERFLEET-CNF-003"]);
    expect(refused.json["detail"]).toContain("active");
    const deleted = await fleet.call("DELETE", `/channels/${channel}/versions/${version}`);
    expect([deleted.status, typeof deleted.json["deleted_time"]]).toEqual([202, "string"]);
    expect((await fleet.call("DELETE", `/channels/${channel}`)).status).toBe(202);
    expect((await fleet.call("GET", `/channels/${channel}`)).status).toBe(404);
  });

  test("forced deletion removes all descendants, with a reason for the audit", async () => {
    await using fleet = await TestFleet.open();
    const id = await fleet.create("/clusters", "Cluster", "prod");
    await fleet.create(`/clusters/${id}/nodepools`, "NodePool", "pool-1");
    const force = (body: JsonObject): Promise<TestResponse> => fleet.call("POST", `/clusters/${id}/force-delete`, body);
    expect((await force({ reason: "x" })).status).toBe(409);
    await fleet.call("DELETE", `/clusters/${id}`);
    for (const body of [{}, { reason: "" }, { reason: 5 }, { reason: "x".repeat(1_025) }]) {
      const refused = await force(body);
      expect([refused.status, refused.json["errors"]]).toEqual([400, [expect.objectContaining({ field: "reason" })]]);
    }
    expect((await force({ reason: "the region is gone" })).status).toBe(204);
    expect((await fleet.call("GET", "/resources")).json["total"]).toBe(0);
    expect((await force({ reason: "again" })).status).toBe(404);
    const audit = await fleet.call("GET", `/audit?resource_id=${id}`);
    expect(audit.json["items"]).toMatchObject([
      { action: "force-delete", details: { reason: "the region is gone" } },
      { action: "delete" },
      { action: "create" },
    ]);
  });
});

describe("references", () => {
  test("must point to existing resources of the right kind that are not being deleted", async () => {
    await using fleet = await TestFleet.open();
    const channel = await fleet.create("/channels", "Channel", "stable");
    const version = await fleet.create(`/channels/${channel}/versions`, "Version", "v1");
    const upgrade = (references: JsonObject): Promise<TestResponse> => {
      return fleet.call("POST", "/upgrades", { kind: "Upgrade", name: "u", spec: {}, references });
    };
    const refusals: readonly (readonly [JsonObject, string])[] = [
      [{}, "references.version"],
      [{ version: [{ id: "nope" }] }, "references.version[0].id"],
      [{ version: [{ id: channel }] }, "references.version[0].id"],
      [{ version: [{ id: version, kind: "Channel" }] }, "references.version[0].kind"],
      [{ version: [{ id: version }, { id: version }] }, "references.version[1].id"],
      [{ version: [{ id: version }], other: [] }, "references.other"],
      [{ version: "x" }, "references.version"],
      [{ version: [{ id: 5 }] }, "references.version[0].id"],
    ];
    for (const [references, field] of refusals) {
      const { status, json } = await upgrade(references);
      expect([status, json["errors"]]).toEqual([400, [expect.objectContaining({ field })]]);
    }
    const created = await upgrade({ version: [{ id: version }] });
    expect(created.json["references"]).toEqual({
      version: [{ id: version, kind: "Version", href: `/api/hyperfleet/v1/channels/${channel}/versions/${version}` }],
    });
    const refused = await fleet.call("DELETE", `/versions/${version}`);
    expect([refused.status, refused.json["detail"]]).toEqual([409, expect.stringContaining(bodyText(created, "id"))]);
    const found = await fleet.call("GET", `/upgrades?ref_type=version&ref_target_id=${version}`);
    expect(found.json["total"]).toBe(1);
    await fleet.call("DELETE", `/upgrades/${bodyText(created, "id")}`);
    expect((await fleet.call("DELETE", `/versions/${version}`)).status).toBe(202);
  });
});

describe("work", () => {
  test("is due at once for declarations, and for other adapters when one reports a different result", async () => {
    await using fleet = await TestFleet.open();
    const id = await fleet.create("/clusters", "Cluster", "prod");
    expect(await fleet.claimWork()).toEqual([{ id, cause: "create" }]);
    await fleet.report(`/clusters/${id}`, "dns", 1, "Unknown");
    expect(await fleet.claimWork()).toEqual([]);
    await fleet.report(`/clusters/${id}`, "dns", 1, "True");
    expect(await fleet.claimWork()).toEqual([{ id, cause: "wake" }]);
    await fleet.report(`/clusters/${id}`, "dns", 1, "True");
    expect(await fleet.claimWork()).toEqual([]);
    await fleet.report(`/clusters/${id}`, "validation", 1, "True");
    expect(await fleet.claimWork()).toEqual([]);
    await fleet.call("PATCH", `/clusters/${id}`, { labels: { a: "b" } });
    expect(await fleet.claimWork()).toEqual([{ id, cause: "change" }]);
    await fleet.call("DELETE", `/clusters/${id}`);
    expect(await fleet.claimWork()).toEqual([{ id, cause: "delete" }]);
  });

  test("is due again one TTL after the last report, later for ready resources, and with jitter", async () => {
    await using fleet = await TestFleet.open();
    const ids = await Promise.all(
      Array.from({ length: 20 }, (_, index) => fleet.create("/clusters", "Cluster", `c-${index}`)),
    );
    await fleet.claimWork();
    const kinds = ["Cluster"];
    for (const id of ids) await fleet.report(`/clusters/${id}`, "dns", 1, "True");
    await fleet.claimWork();
    for (const id of ids) await fleet.report(`/clusters/${id}`, "validation", 1, "True");
    const now = fleet.clock.now();
    const plans = await fleet.store.listPlans(kinds, undefined, 100);
    const delays = plans.map(({ dueTime = 0 }) => dueTime - now);
    const half = 30 * 60_000;
    expect(delays.every((delay) => delay > half - 100 && delay <= half * 1.1)).toBe(true);
    expect(Math.max(...delays) - Math.min(...delays)).toBeGreaterThan(half * 0.05);
  });

  test("reports the last pulse and the next one of each adapter", async () => {
    await using fleet = await TestFleet.open();
    await fleet.store.setTtl("Cluster", { ...DEFAULT_TTL, readyMs: 7_000, notReadyMs: 3_000 });
    const id = await fleet.create("/clusters", "Cluster", "prod");
    const born = fleet.clock.now();
    const readPulse = async (): Promise<unknown> => (await fleet.call("GET", `/clusters/${id}/pulse`)).json;
    const later = (ms: number): string => timeText(born + ms);
    expect(await readPulse()).toEqual({
      next_time: later(0),
      reason: "create",
      adapters: [
        { adapter: "dns", due_time: later(3_000) },
        { adapter: "validation", due_time: later(3_000) },
      ],
    });
    const [claim] = await fleet.store.claim({ holder: "me", now: born, leaseMs: 5, limit: 1, kinds: ["Cluster"] });
    if (claim === undefined) throw new Error("it was to be claimed");
    const { counters, holder } = claim;
    await fleet.store.complete([{ resourceId: id, holder, counters, pulsedTime: born, refreshTime: born + 3_000 }]);
    await fleet.clock.advance(1_000);
    await fleet.report(`/clusters/${id}`, "dns", 1, "Unknown");
    const result = await readPulse();
    expect(result).toMatchObject({ last_time: later(0), next_time: later(3_000), reason: "refresh" });
    expect(result).toMatchObject({ adapters: [{ adapter: "validation", due_time: later(3_000) }, { adapter: "dns" }] });
  });

  test("uses the TTLs in the store", async () => {
    await using fleet = await TestFleet.open();
    await fleet.store.setTtl("Cluster", { ...DEFAULT_TTL, readyMs: 7_000, notReadyMs: 3_000 });
    const id = await fleet.create("/clusters", "Cluster", "prod");
    await fleet.claimWork();
    await fleet.report(`/clusters/${id}`, "dns", 1, "Unknown");
    const [plan] = await fleet.store.listPlans(["Cluster"], undefined, 1);
    expect((plan?.dueTime ?? 0) - fleet.clock.now()).toBe(3_000 - 1);
  });
});
