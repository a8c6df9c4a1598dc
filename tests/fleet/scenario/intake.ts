import { expect, test } from "vitest";
import { B } from "../http.ts";
import type { Answer } from "../http.ts";
import type { StartFleet } from "../running-fleet.ts";
import { freshTime, reportBody } from "../user.ts";
import type { FleetUser } from "../user.ts";
import type { WireStatus } from "../wire.ts";
import { describeOn } from "./suite.ts";
import type { Shared } from "./suite.ts";

const HALF_HOUR_MS = 30 * 60_000;
const FIVE_MINUTES_MS = 5 * 60_000;

/** Scenarios 22 to 32: which reports are kept. */
export function describeIntake(start: StartFleet): void {
  describeOn("reporting", start, (shared) => {
    describeInvalid(shared);
    describeStale(shared);
    describeKept(shared);
    describeLists(shared);
  });
}

async function statusesOf(user: FleetUser, clusterId: string): Promise<readonly WireStatus[]> {
  return (await user.http.get(`${B}/clusters/${clusterId}/statuses?size=100`)).statuses.items;
}

function said(answer: Answer): string {
  return `${answer.refusal} ${answer.problem.detail} ${answer.complaints.join()}`;
}

function describeInvalid(shared: () => Shared): void {
  test("22. a report needs a resource, an adapter and a generation from 1", async () => {
    const { user } = shared();
    const { id } = await user.cluster();
    expect((await user.report("nope", "dns", 1, "True")).refusal).toBe("404 NTF-001");
    for (const [adapter, generation, field] of [
      ["", 1, "adapter"],
      ["dns", 0, "observed_generation"],
      ["dns", -1, "observed_generation"],
      ["dns", 1.5, "observed_generation"],
      ["dns", 2 ** 31, "observed_generation"],
    ] as const) {
      const answer = await user.report(id, adapter, generation, "True");
      expect(answer.refusal).toBe("400 VAL-000");
      expect(answer.problem.errors?.map((error) => error.field)).toEqual([field]);
    }
    expect(await statusesOf(user, id)).toEqual([]);
  });

  test("23. a report without a mandatory condition is refused, and the one before stays", async () => {
    const { user } = shared();
    const { id } = await user.cluster();
    await user.report(id, "dns", 1, "True");
    const before = await statusesOf(user, id);
    const conditions = [
      { type: "Available", status: "False" },
      { type: "Applied", status: "True" },
    ];
    expect(said(await user.report(id, "dns", 1, "", { conditions }))).toMatch(
      /^400 VAL-000 .*missing mandatory condition/u,
    );
    expect(await statusesOf(user, id)).toEqual(before);
  });

  test("24. conditions have different types and one of three values", async () => {
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
      const answer = await user.report(id, "dns", 1, "", { conditions: [...usual, more] });
      expect(said(answer)).toMatch(new RegExp(`^400 VAL-000 .*${message}`, "u"));
    }
    expect(await statusesOf(user, id)).toEqual([]);
  });

  test("a report was observed at most 30 minutes ago and 5 minutes ahead", async () => {
    const { user } = shared();
    const { id } = await user.cluster();
    const at = (time: number) => user.report(id, "dns", 1, "True", { time });
    expect((await at(freshTime() - HALF_HOUR_MS - 10_000)).refusal).toBe("400 VAL-000");
    expect((await at(freshTime() + FIVE_MINUTES_MS + 60_000)).refusal).toBe("400 VAL-000");
    expect((await at(freshTime() - HALF_HOUR_MS + 60_000)).status).toBe(201);
    expect((await at(freshTime() + FIVE_MINUTES_MS - 60_000)).status).toBe(201);
    const path = `${B}/clusters/${id}/statuses`;
    const timeless = await user.http.put(path, { ...reportBody("dns", 1, "True"), observed_time: "yesterday" });
    expect(timeless.problem.errors?.map(({ field }) => field)).toEqual(["observed_time"]);
  });
}

function describeStale(shared: () => Shared): void {
  test("26. a generation that the resource does not have is not kept", async () => {
    const { user } = shared();
    const { id } = await user.cluster();
    await user.report(id, "dns", 1, "True");
    const before = await statusesOf(user, id);
    const answer = await user.report(id, "validation", 999, "True");
    expect([answer.status, answer.text]).toEqual([204, ""]);
    expect(await statusesOf(user, id)).toEqual(before);
  });

  test("27. an older generation does not replace a newer one", async () => {
    const { user } = shared();
    const { id, href } = await user.cluster();
    await user.http.patch(href, { spec: { a: 1 } });
    expect((await user.report(id, "dns", 2, "True")).status).toBe(201);
    expect((await user.report(id, "dns", 1, "True")).status).toBe(204);
    expect((await statusesOf(user, id)).map((status) => status.observed_generation)).toEqual([2]);
  });

  test("28. at the same generation the later report counts, whichever comes first", async () => {
    const { user } = shared();
    const { id } = await user.cluster();
    const [early, middle, late] = [freshTime(), freshTime(), freshTime()];
    const report = (time: number, available: string) => user.report(id, "dns", 1, available, { time });
    expect((await report(middle, "True")).status).toBe(201);
    expect((await report(early, "False")).status).toBe(204);
    // Decided: equal in time is the same report again, and says so.
    expect((await report(middle, "False")).status).toBe(204);
    const [kept] = await statusesOf(user, id);
    expect([kept?.conditions[0]?.status, kept?.last_report_time]).toEqual(["True", new Date(middle).toISOString()]);
    expect((await report(late, "False")).status).toBe(201);
    const statuses = await statusesOf(user, id);
    expect(statuses.map((status) => status.conditions[0]?.status)).toEqual(["False"]);
  });
}

function describeKept(shared: () => Shared): void {
  test("30. an adapter that is not required is kept and listed, and decides nothing", async () => {
    const { user } = shared();
    const cluster = await user.cluster();
    const answer = await user.report(cluster.id, "backup", 1, "False", { data: { copies: 3 } });
    expect([answer.status, answer.reported.adapter]).toEqual([201, "backup"]);
    expect(await statusesOf(user, cluster.id)).toMatchObject([{ adapter: "backup", data: { copies: 3 } }]);
    expect((await user.read(cluster)).status).toEqual(cluster.status);
  });

  test("31. a condition that says the same keeps the time at which it changed", async () => {
    const { user } = shared();
    const { id } = await user.cluster();
    const times = [freshTime(), freshTime(), freshTime()].map((time) => new Date(time).toISOString());
    const seen: (string | undefined)[][] = [];
    for (const [index, available] of ["True", "True", "False"].entries()) {
      await user.report(id, "dns", 1, available, { time: Date.parse(times[index] ?? "") });
      const [status] = await statusesOf(user, id);
      seen.push([status?.created_time, status?.last_report_time, status?.conditions[0]?.last_transition_time]);
    }
    const [first, second, third] = times;
    expect(seen).toEqual([
      [first, first, first],
      [first, second, first],
      [first, third, third],
    ]);
  });

  test("decided: a first Unknown is 201 and listed, a later one is 204 and shown beside the verdict as progress", async () => {
    const { user } = shared();
    const { id, status } = await user.cluster();
    expect((await user.report(id, "dns", 1, "Unknown", { data: { step: 1 } })).status).toBe(201);
    expect(await statusesOf(user, id)).toMatchObject([{ adapter: "dns", data: { step: 1 } }]);
    expect((await user.read(id)).status).toEqual(status);
    expect((await user.report(id, "dns", 1, "True")).status).toBe(201);
    const time = freshTime();
    const later = await user.report(id, "dns", 1, "Unknown", { time });
    expect([later.status, later.text]).toEqual([204, ""]);
    const [kept] = await statusesOf(user, id);
    expect(kept?.conditions[0]?.status).toBe("True");
    expect(kept?.progress).toMatchObject({ observed_generation: 1, observed_time: new Date(time).toISOString() });
  });

  test("decided: a report may be sent by POST too, to any of the paths of its resource", async () => {
    const { user } = shared();
    const cluster = await user.cluster();
    const pool = await user.pool(cluster.id);
    for (const [index, path] of [pool.href, `${B}/nodepools/${pool.id}`, `${B}/resources/${pool.id}`].entries()) {
      const post = await user.http.post(`${path}/statuses`, reportBody(`post-${index}`, 1, "True"));
      expect([post.status, post.reported.adapter]).toEqual([201, `post-${index}`]);
      expect((await user.http.put(`${path}/statuses`, reportBody(`put-${index}`, 1, "True"))).status).toBe(201);
      expect((await user.http.get(`${path}/statuses`)).statuses.total).toBe(2 * (index + 1));
    }
    const other = await user.cluster();
    const wrong = `${B}/clusters/${other.id}/nodepools/${pool.id}/statuses`;
    expect((await user.http.put(wrong, reportBody("dns", 1, "True"))).refusal).toBe("404 NTF-001");
  });
}

function describeLists(shared: () => Shared): void {
  test("32. the pages of ten adapters show each exactly once", async () => {
    const { user } = shared();
    const { id } = await user.cluster();
    const adapters = Array.from({ length: 10 }, (_, index) => `adapter-${index}`);
    await Promise.all(adapters.map((adapter) => user.report(id, adapter, 1, "True")));
    const seen: string[] = [];
    for (const page of [1, 2, 3, 4]) {
      const { items, ...rest } = (await user.http.get(`${B}/clusters/${id}/statuses?size=3&page=${page}`)).statuses;
      expect(rest).toMatchObject({ page, total: 10, size: page === 4 ? 1 : 3 });
      seen.push(...items.map(({ adapter }) => adapter));
    }
    expect(seen.toSorted()).toEqual(adapters);
    const beyond = await user.http.get(`${B}/clusters/${id}/statuses?size=3&page=100`);
    expect(beyond.statuses).toMatchObject({ items: [], total: 10 });
    expect((await user.http.get(`${B}/clusters/${id}/statuses?size=0`)).refusal).toBe("400 VAL-000");
  });
}
