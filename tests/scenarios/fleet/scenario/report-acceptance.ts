import { expect, test } from "vitest";
import { API_BASE } from "../../../support/fleet/http.ts";
import type { FleetResponse } from "../../../support/fleet/http.ts";
import type { StartFleet } from "../../../support/fleet/running-fleet.ts";
import { freshTime, reportBody } from "../../../support/fleet/fleet-user.ts";
import type { FleetUser } from "../../../support/fleet/fleet-user.ts";
import type { WireStatus } from "../../../support/fleet/wire.ts";
import { describeOn } from "./suite.ts";
import type { Shared } from "./suite.ts";

const HALF_HOUR_MS = 30 * 60_000;
const FIVE_MINUTES_MS = 5 * 60_000;

/** Acceptance of reports. */
export function describeReportAcceptance(start: StartFleet): void {
  describeOn("reporting", start, (shared) => {
    describeInvalid(shared);
    describeStale(shared);
    describeKept(shared);
    describeLists(shared);
  });
}

async function statusesOf(user: FleetUser, clusterId: string): Promise<readonly WireStatus[]> {
  return (await user.http.get(`${API_BASE}/clusters/${clusterId}/statuses?size=100`)).statuses.items;
}

function problemText(response: FleetResponse): string {
  return `${response.problemSummary} ${response.problem.detail} ${response.fieldErrors.join()}`;
}

function describeInvalid(shared: () => Shared): void {
  test("a report needs a resource, an adapter and a generation of at least 1", async () => {
    const { user } = shared();
    const { id } = await user.cluster();
    expect((await user.report("nope", "dns", 1, "True")).problemSummary).toBe("404 NTF-001");
    for (const [adapter, generation, field] of [
      ["", 1, "adapter"],
      ["dns", 0, "observed_generation"],
      ["dns", -1, "observed_generation"],
      ["dns", 1.5, "observed_generation"],
      ["dns", 2 ** 31, "observed_generation"],
    ] as const) {
      const response = await user.report(id, adapter, generation, "True");
      expect(response.problemSummary).toBe("400 VAL-000");
      expect(response.problem.errors?.map((error) => error.field)).toEqual([field]);
    }
    expect(await statusesOf(user, id)).toEqual([]);
  });

  test("a report without a mandatory condition is refused, and the previous one stays", async () => {
    const { user } = shared();
    const { id } = await user.cluster();
    await user.report(id, "dns", 1, "True");
    const before = await statusesOf(user, id);
    const conditions = [
      { type: "Available", status: "False" },
      { type: "Applied", status: "True" },
    ];
    expect(problemText(await user.report(id, "dns", 1, "", { conditions }))).toMatch(
      /^400 VAL-000 .*missing mandatory condition/u,
    );
    expect(await statusesOf(user, id)).toEqual(before);
  });

  test("conditions have unique types and one of three values", async () => {
    const { user } = shared();
    const { id } = await user.cluster();
    const usual = ["Available", "Applied", "Health"].map((type) => ({ type, status: "True" }));
    for (const [more, message] of [
      [{ type: "Health", status: "True" }, "duplicate condition type"],
      [{ type: "", status: "True" }, "type"],
      [{ type: "Custom", status: "true" }, "invalid status value"],
      [{ type: "Custom" }, "invalid status value"],
      ["text", "type"],
    ] as const) {
      const response = await user.report(id, "dns", 1, "", { conditions: [...usual, more] });
      expect(problemText(response)).toMatch(new RegExp(`^400 VAL-000 .*${message}`, "u"));
    }
    expect(await statusesOf(user, id)).toEqual([]);
  });

  test("a report was observed at most 30 minutes ago and 5 minutes ahead", async () => {
    const { user } = shared();
    const { id } = await user.cluster();
    const at = (time: number) => user.report(id, "dns", 1, "True", { time });
    expect((await at(freshTime() - HALF_HOUR_MS - 10_000)).problemSummary).toBe("400 VAL-000");
    expect((await at(freshTime() + FIVE_MINUTES_MS + 60_000)).problemSummary).toBe("400 VAL-000");
    expect((await at(freshTime() - HALF_HOUR_MS + 60_000)).status).toBe(201);
    expect((await at(freshTime() + FIVE_MINUTES_MS - 60_000)).status).toBe(201);
    const path = `${API_BASE}/clusters/${id}/statuses`;
    const timeless = await user.http.put(path, { ...reportBody("dns", 1, "True"), observed_time: "yesterday" });
    expect(timeless.problem.errors?.map(({ field }) => field)).toEqual(["observed_time"]);
  });
}

function describeStale(shared: () => Shared): void {
  test("a report on a generation that does not exist is not stored", async () => {
    const { user } = shared();
    const { id } = await user.cluster();
    await user.report(id, "dns", 1, "True");
    const before = await statusesOf(user, id);
    const response = await user.report(id, "validation", 999, "True");
    expect([response.status, response.text]).toEqual([204, ""]);
    expect(await statusesOf(user, id)).toEqual(before);
  });

  test("an older generation does not replace a newer one", async () => {
    const { user } = shared();
    const { id, href } = await user.cluster();
    await user.http.patch(href, { spec: { a: 1 } });
    expect((await user.report(id, "dns", 2, "True")).status).toBe(201);
    expect((await user.report(id, "dns", 1, "True")).status).toBe(204);
    expect((await statusesOf(user, id)).map((status) => status.observed_generation)).toEqual([2]);
  });

  test("at the same generation the later observation counts, in any order of arrival", async () => {
    const { user } = shared();
    const { id } = await user.cluster();
    const [early, middle, late] = [freshTime(), freshTime(), freshTime()];
    const report = (time: number, available: string) => user.report(id, "dns", 1, available, { time });
    expect((await report(middle, "True")).status).toBe(201);
    expect((await report(early, "False")).status).toBe(204);
    // The same observation time means the same report.
    expect((await report(middle, "False")).status).toBe(204);
    const [stored] = await statusesOf(user, id);
    expect([stored?.conditions[0]?.status, stored?.last_report_time]).toEqual(["True", new Date(middle).toISOString()]);
    expect((await report(late, "False")).status).toBe(201);
    const statuses = await statusesOf(user, id);
    expect(statuses.map((status) => status.conditions[0]?.status)).toEqual(["False"]);
  });
}

function describeKept(shared: () => Shared): void {
  test("a report of an optional adapter is stored and listed, and has no effect on readiness", async () => {
    const { user } = shared();
    const cluster = await user.cluster();
    const response = await user.report(cluster.id, "backup", 1, "False", { data: { copies: 3 } });
    expect([response.status, response.reported.adapter]).toEqual([201, "backup"]);
    expect(await statusesOf(user, cluster.id)).toMatchObject([{ adapter: "backup", data: { copies: 3 } }]);
    expect((await user.read(cluster)).status).toEqual(cluster.status);
  });

  test("an unchanged condition keeps its transition time", async () => {
    const { user } = shared();
    const { id } = await user.cluster();
    const times = [freshTime(), freshTime(), freshTime()].map((time) => new Date(time).toISOString());
    const observed: (string | undefined)[][] = [];
    for (const [index, available] of ["True", "True", "False"].entries()) {
      await user.report(id, "dns", 1, available, { time: Date.parse(times[index] ?? "") });
      const [status] = await statusesOf(user, id);
      observed.push([status?.created_time, status?.last_report_time, status?.conditions[0]?.last_transition_time]);
    }
    const [first, second, third] = times;
    expect(observed).toEqual([
      [first, first, first],
      [first, second, first],
      [first, third, third],
    ]);
  });

  test("a first Unknown is 201 and listed, a later one is 204 and shown as progress beside the result", async () => {
    const { user } = shared();
    const { id, status } = await user.cluster();
    expect((await user.report(id, "dns", 1, "Unknown", { data: { step: 1 } })).status).toBe(201);
    expect(await statusesOf(user, id)).toMatchObject([{ adapter: "dns", data: { step: 1 } }]);
    expect((await user.read(id)).status).toEqual(status);
    expect((await user.report(id, "dns", 1, "True")).status).toBe(201);
    const time = freshTime();
    const later = await user.report(id, "dns", 1, "Unknown", { time });
    expect([later.status, later.text]).toEqual([204, ""]);
    const [stored] = await statusesOf(user, id);
    expect(stored?.conditions[0]?.status).toBe("True");
    expect(stored?.progress).toMatchObject({ observed_generation: 1, observed_time: new Date(time).toISOString() });
  });

  test("a report may also be sent by POST, to any path of its resource", async () => {
    const { user } = shared();
    const cluster = await user.cluster();
    const pool = await user.pool(cluster.id);
    for (const [index, path] of [
      pool.href,
      `${API_BASE}/nodepools/${pool.id}`,
      `${API_BASE}/resources/${pool.id}`,
    ].entries()) {
      const post = await user.http.post(`${path}/statuses`, reportBody(`post-${index}`, 1, "True"));
      expect([post.status, post.reported.adapter]).toEqual([201, `post-${index}`]);
      expect((await user.http.put(`${path}/statuses`, reportBody(`put-${index}`, 1, "True"))).status).toBe(201);
      expect((await user.http.get(`${path}/statuses`)).statuses.total).toBe(2 * (index + 1));
    }
    const other = await user.cluster();
    const wrong = `${API_BASE}/clusters/${other.id}/nodepools/${pool.id}/statuses`;
    expect((await user.http.put(wrong, reportBody("dns", 1, "True"))).problemSummary).toBe("404 NTF-001");
  });
}

function describeLists(shared: () => Shared): void {
  test("the pages of ten adapters return each exactly once", async () => {
    const { user } = shared();
    const { id } = await user.cluster();
    const adapters = Array.from({ length: 10 }, (_, index) => `adapter-${index}`);
    await Promise.all(adapters.map((adapter) => user.report(id, adapter, 1, "True")));
    const observed: string[] = [];
    for (const page of [1, 2, 3, 4]) {
      const { items, ...rest } = (await user.http.get(`${API_BASE}/clusters/${id}/statuses?size=3&page=${page}`))
        .statuses;
      expect(rest).toMatchObject({ page, total: 10, size: page === 4 ? 1 : 3 });
      observed.push(...items.map(({ adapter }) => adapter));
    }
    expect(observed.toSorted()).toEqual(adapters);
    const beyond = await user.http.get(`${API_BASE}/clusters/${id}/statuses?size=3&page=100`);
    expect(beyond.statuses).toMatchObject({ items: [], total: 10 });
    expect((await user.http.get(`${API_BASE}/clusters/${id}/statuses?size=0`)).problemSummary).toBe("400 VAL-000");
  });
}
