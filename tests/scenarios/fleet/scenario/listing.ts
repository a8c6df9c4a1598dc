import { expect, test } from "vitest";
import { API_BASE } from "../../../support/fleet/http.ts";
import type { FleetResponse } from "../../../support/fleet/http.ts";
import type { StartFleet } from "../../../support/fleet/running-fleet.ts";
import { freshName } from "../../../support/fleet/fleet-user.ts";
import type { FleetUser } from "../../../support/fleet/fleet-user.ts";
import { describeOn } from "./suite.ts";
import type { Shared } from "./suite.ts";

/** Search, paging and order. */
export function describeListing(start: StartFleet): void {
  describeOn("searching", start, (shared) => {
    describeSearch(shared);
    describeSearchText(shared);
  });
  describeOn("paging and sorting", start, (shared) => {
    describePaging(shared);
    describeOrder(shared);
    describeReferenceFilter(shared);
  });
}

function list(user: FleetUser, query: Readonly<Record<string, string>>, plural = "clusters"): Promise<FleetResponse> {
  return user.http.get(`${API_BASE}/${plural}?${new URLSearchParams(query).toString()}`);
}

async function namesOf(user: FleetUser, query: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const response = await list(user, query);
  if (response.status !== 200) throw new Error(`${response.status} ${response.text}`);
  return response.resources.items.map(({ name }) => name);
}

function describeSearch(shared: () => Shared): void {
  test("resources are found by condition and label; unsupported syntax is refused", async () => {
    const { user } = shared();
    const [ready, one, two] = [
      await user.cluster({ labels: { shard: "1" } }),
      await user.cluster({ labels: { shard: "1" } }),
      await user.cluster({ labels: { shard: "2" } }),
    ];
    await user.all(ready.id, 1, "True");
    const search = async (text: string) => (await namesOf(user, { search: text })).toSorted();
    for (const type of ["Reconciled", "Ready", "LastKnownReconciled", "Available"]) {
      expect(await search(`status.conditions.${type}='False'`)).toEqual([one.name, two.name].toSorted());
      expect(await search(`status.conditions.${type}='True'`)).toEqual([ready.name]);
      expect(await search(`status.conditions.${type}='False' AND labels.shard='1'`)).toEqual([one.name]);
    }
    expect(await search("status.conditions.DnsSuccessful='True'")).toEqual([ready.name]);
    for (const text of [
      "status.conditions.reconciled='True'",
      "status.conditions.Reconciled='Invalid'",
      "not status.conditions.Reconciled='True'",
      "status.conditions.Reconciled!='True'",
      "not labels.shard='1'",
      "nope='x'",
      "id=",
      "generation='1'",
      "created_time < 'soon'",
    ]) {
      const response = await list(user, { search: text });
      expect([text, response.problemSummary]).toEqual([text, "400 VAL-005"]);
    }
  });

  test("resources are found by the times and generations of conditions", async () => {
    const { user } = shared();
    const cluster = await user.cluster({ labels: { test: "s44" } });
    await user.http.patch(cluster.href, { spec: { a: 1 } });
    await user.cluster({ labels: { test: "s44" } });
    const updated = (await user.condition(cluster, "Reconciled")).last_updated_time;
    const search = async (text: string) =>
      (await list(user, { search: `labels.test='s44' and ${text}` })).resources.total;
    const field = "status.conditions.Reconciled";
    expect(await search(`${field}.last_updated_time <= '${updated}'`)).toBe(1);
    expect(await search(`${field}.last_updated_time < '${updated}'`)).toBe(0);
    expect(await search(`${field}.last_updated_time > '2020-01-01T00:00:00Z'`)).toBe(2);
    expect(await search(`${field}.observed_generation < 2`)).toBe(1);
    expect(await search(`${field}.observed_generation >= 1`)).toBe(2);
    for (const text of [
      `${field}.created_time < '2030-01-01T00:00:00Z'`,
      `${field}.last_updated_time < 'soon'`,
      `${field}.observed_generation < '2'`,
    ]) {
      expect([text, (await list(user, { search: text })).problemSummary]).toEqual([text, "400 VAL-005"]);
    }
  });
}

function describeSearchText(shared: () => Shared): void {
  test("a search cannot inject SQL, and has at most 4096 characters", async () => {
    const { user } = shared();
    const cluster = await user.cluster();
    for (const search of ["id='; DROP TABLE resources; --", "id='x'; DROP TABLE resources; --"]) {
      expect((await list(user, { search })).problemSummary).toBe("400 VAL-005");
    }
    expect((await list(user, { search: "id='''; DROP TABLE resources; --'" })).resources.total).toBe(0);
    const long = (length: number) => `name='${"x".repeat(length - "name=''".length)}'`;
    expect((await list(user, { search: long(4096) })).resources.total).toBe(0);
    expect((await list(user, { search: long(4097) })).problemSummary).toBe("400 VAL-005");
    expect(await user.read(cluster)).toEqual(cluster);
  });

  test("resources are found by spec, with case-sensitive keys and typed numbers", async () => {
    const { user } = shared();
    const cluster = await user.cluster({ spec: { nodeCount: 12, nested: { deepKey: "it's" }, on: true } });
    for (const search of [
      "spec.nodeCount > 9",
      "spec.nested.deepKey = 'it''s'",
      "spec.nodeCount = 12 and spec.on = true",
    ]) {
      expect(await namesOf(user, { search })).toEqual([cluster.name]);
    }
    expect(await namesOf(user, { search: "spec.nested.deepKey > 9" })).toEqual([]);
  });
}

function describePaging(shared: () => Shared): void {
  test("page and size are limited, and unknown parameters are ignored", async () => {
    const { user } = shared();
    for (const [field, value, constraint] of [
      ["size", "0", "min"],
      ["size", "-1", "min"],
      ["size", "101", "max"],
      ["size", "abc", "format"],
      ["size", "1.5", "format"],
      ["page", "0", "min"],
      ["page", "-1", "min"],
      ["page", "100001", "max"],
    ] as const) {
      const response = await list(user, { [field]: value });
      expect(response.problemSummary).toBe("400 VAL-000");
      expect(response.problem.errors).toEqual([{ field, value, constraint, message: expect.any(String) }]);
    }
    expect((await list(user, { pageSize: "50" })).status).toBe(200);
    expect((await list(user, { page: "100000", size: "100" })).resources).toMatchObject({ items: [], page: 100_000 });
  });

  test("pages and cursors return every cluster exactly once, in the same order", async () => {
    const { user } = shared();
    const test = freshName();
    const names = Array.from({ length: 11 }, () => freshName()).toSorted();
    await Promise.all(names.map((name) => user.cluster({ name, labels: { test } })));
    const query = { search: `labels.test='${test}'`, order: "name", size: "4" };
    const pages: string[] = [];
    for (const page of ["1", "2", "3", "4"]) {
      const { items, ...rest } = (await list(user, { ...query, page })).resources;
      expect(rest).toMatchObject({ page: Number(page), size: items.length, total: 11 });
      pages.push(...items.map(({ name }) => name));
    }
    expect(pages).toEqual(names);
    const parts: string[] = [];
    let after: string | undefined = "";
    while (after !== undefined) {
      const { items, next }: { items: readonly { name: string }[]; next?: string } = (
        await list(user, { ...query, after })
      ).resources;
      parts.push(...items.map(({ name }) => name));
      after = next;
    }
    expect(parts).toEqual(names);
    expect((await list(user, { ...query, after: "nonsense" })).status).toBe(400);
  });
}

function describeOrder(shared: () => Shared): void {
  test("the default order is newest first", async () => {
    const { user } = shared();
    const test = freshName();
    const names = ["b", "a", "c"].map((deadLetter) => `${deadLetter}${freshName()}`);
    const [b = "", a = "", c = ""] = names;
    for (const name of names) await user.cluster({ name, labels: { test } });
    const search = `labels.test='${test}'`;
    expect(await namesOf(user, { search })).toEqual([c, a, b]);
    expect(await namesOf(user, { search, order: "name" })).toEqual([a, b, c]);
    expect(await namesOf(user, { search, order: "name desc,created_time asc" })).toEqual([c, b, a]);
    expect(await namesOf(user, { search, order: "created_time asc" })).toEqual([b, a, c]);
    for (const order of [
      "name; DROP TABLE resources",
      "pg_sleep(10)",
      "name ascending",
      "name,,id",
      "name desc desc",
    ]) {
      const response = await list(user, { order });
      expect(response.problemSummary).toBe("400 VAL-005");
      expect(response.problem.detail).toContain("invalid order format");
    }
    expect((await list(user, { order: "nope" })).problemSummary).toBe("400 VAL-005");
  });
}

function describeReferenceFilter(shared: () => Shared): void {
  test("a list is filtered by reference, with both parameters", async () => {
    const { user } = shared();
    const channel = await user.plain("Channel");
    const cluster = await user.cluster({ references: { channel: [{ id: channel.id }] } });
    await user.cluster();
    const filter = { ref_type: "channel", ref_target_id: channel.id };
    expect(await namesOf(user, filter)).toEqual([cluster.name]);
    expect(await namesOf(user, { ...filter, ref_target_id: "nope" })).toEqual([]);
    expect((await list(user, { ref_type: "channel" })).status).toBe(400);
    expect((await list(user, { ref_target_id: channel.id })).status).toBe(400);
    expect((await list(user, { ...filter, ref_type: "nope" })).status).toBe(400);
  });

  test("all resources are listed together, or those of one kind", async () => {
    const { user } = shared();
    const channel = await user.plain("Channel");
    const cluster = await user.cluster();
    const search = `id in ('${channel.id}','${cluster.id}')`;
    const ids = async (query: Readonly<Record<string, string>>) =>
      (await list(user, { search, ...query }, "resources")).resources.items.map(({ id }) => id).toSorted();
    expect(await ids({})).toEqual([channel.id, cluster.id].toSorted());
    expect(await ids({ kind: "Channel" })).toEqual([channel.id]);
    expect((await list(user, { kind: "Nope" }, "resources")).status).toBe(400);
  });
}
