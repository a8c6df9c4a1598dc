import type { JsonObject } from "@levelset/core";
import { describe, expect, test } from "vitest";
import { TestFleet, bodyText } from "./fleet-api.fixture.ts";
import type { TestResponse } from "./fleet-api.fixture.ts";

async function withClusters(count: number): Promise<TestFleet> {
  const fleet = await TestFleet.open();
  for (let index = 0; index < count; index++) {
    await fleet.clock.advance(10);
    await fleet.create("/clusters", "Cluster", `c-${index}`, { labels: { shard: String(index % 2) } });
  }
  return fleet;
}

function namesIn({ json }: TestResponse): readonly unknown[] {
  return (json["items"] as readonly JsonObject[]).map(({ name }) => name);
}

describe("lists", () => {
  test("have numbered pages, newest first", async () => {
    await using fleet = await withClusters(5);
    const first = await fleet.call("GET", "/clusters?size=2");
    expect(first.json).toMatchObject({ page: 1, size: 2, total: 5 });
    expect(namesIn(first)).toEqual(["c-4", "c-3"]);
    expect(namesIn(await fleet.call("GET", "/clusters?size=2&page=3"))).toEqual(["c-0"]);
    expect((await fleet.call("GET", "/clusters?page=9")).json).toMatchObject({ items: [], size: 0, total: 5 });
  });

  test("continue after the last item despite concurrent changes", async () => {
    await using fleet = await withClusters(5);
    const first = await fleet.call("GET", "/clusters?size=2&after=&order=name");
    expect([namesIn(first), first.json["total"]]).toEqual([["c-0", "c-1"], undefined]);
    await fleet.create("/clusters", "Cluster", "a-0");
    const second = await fleet.call("GET", `/clusters?size=2&order=name&after=${bodyText(first, "next")}`);
    expect(namesIn(second)).toEqual(["c-2", "c-3"]);
    const last = await fleet.call("GET", `/clusters?size=2&order=name&after=${bodyText(second, "next")}`);
    expect([namesIn(last), last.json["next"]]).toEqual([["c-4"], undefined]);
  });

  test("support search, order and field selection", async () => {
    await using fleet = await withClusters(4);
    const found = await fleet.call(
      "GET",
      `/clusters?search=${encodeURIComponent("labels.shard='1'")}&order=name&fields=name`,
    );
    expect(found.json["items"]).toEqual([
      { id: expect.any(String), name: "c-1" },
      { id: expect.any(String), name: "c-3" },
    ]);
    const reports = await fleet.call("GET", "/resources?kind=Cluster&search=status.conditions.Ready%3D'False'");
    expect(reports.json["total"]).toBe(4);
    expect((await fleet.call("GET", "/clusters?pageSize=50&nonsense=1")).json["total"]).toBe(4);
  });

  test.each([
    ["size=0", "VAL-000", "size"],
    ["size=101", "VAL-000", "size"],
    ["size=1.5", "VAL-000", "size"],
    ["page=0", "VAL-000", "page"],
    ["page=100001", "VAL-000", "page"],
    ["size=1&size=2", "VAL-000", "size"],
    ["search=a%3D1&search=b%3D2", "VAL-000", "search"],
    ["search=name%3D", "VAL-005", "search"],
    ["order=name%3B%20DROP", "VAL-005", "order"],
    ["order=name%20ascending", "VAL-005", "order"],
    ["fields=bogus", "VAL-000", "fields"],
    ["after=nonsense", "VAL-000", "after"],
    ["after=&page=1", "VAL-000", "page"],
    ["ref_type=x", "VAL-000", "ref_target_id"],
    ["ref_type=x&ref_target_id=y", "VAL-000", "ref_type"],
    ["watch=1", "VAL-000", "watch"],
  ])("?%s is refused with the name of the parameter", async (query, code, field) => {
    await using fleet = await TestFleet.open();
    const { status, json } = await fleet.call("GET", `/clusters?${query}`);
    expect([status, json["code"]]).toEqual([400, `HYPERFLEET-${code}`]);
    expect(json["errors"]).toEqual([expect.objectContaining({ field })]);
  });

  test("a forged cursor, or one of another order, is refused", async () => {
    await using fleet = await withClusters(3);
    const first = await fleet.call("GET", "/clusters?size=1&after=");
    const forged = [
      `order=name&after=${bodyText(first, "next")}`,
      `after=${Buffer.from('["created_time desc,id desc","x","y"]').toString("base64url")}`,
      `after=${Buffer.from('["created_time desc,id desc",5]').toString("base64url")}`,
      `after=${Buffer.from('["created_time desc,id desc","x"]').toString("base64url")}`,
      `after=${Buffer.from('["created_time desc,id desc","x",1]').toString("base64url")}`,
      `after=${Buffer.from('["created_time desc,id desc","x",1,"y","z"]').toString("base64url")}`,
      `after=${Buffer.from("{}").toString("base64url")}`,
    ];
    for (const query of forged) expect((await fleet.call("GET", `/clusters?${query}`)).status).toBe(400);
    expect((await fleet.call("GET", "/resources?kind=Nope")).status).toBe(400);
  });

  test("statuses are paged by adapter name", async () => {
    await using fleet = await TestFleet.open();
    const path = `/clusters/${await fleet.create("/clusters", "Cluster", "prod")}`;
    for (const adapter of ["d", "a", "c", "b"]) await fleet.report(path, adapter, 1, "True");
    const page = await fleet.call("GET", `${path}/statuses?size=3&page=1`);
    const adapters = (response: TestResponse): readonly unknown[] =>
      (response.json["items"] as readonly JsonObject[]).map(({ adapter }) => adapter);
    expect([adapters(page), page.json["total"]]).toEqual([["a", "b", "c"], 4]);
    expect(adapters(await fleet.call("GET", `${path}/statuses?size=3&page=2`))).toEqual(["d"]);
    expect((await fleet.call("GET", `${path}/statuses?page=100`)).json["items"]).toEqual([]);
  });

  test("the history contains every report and its outcome", async () => {
    await using fleet = await TestFleet.open();
    const path = `/clusters/${await fleet.create("/clusters", "Cluster", "prod")}`;
    await fleet.report(path, "dns", 1, "True");
    await fleet.report(path, "dns", 9, "True");
    await fleet.report(path, "dns", 1, "Unknown");
    const all = await fleet.call("GET", `${path}/history?size=2`);
    expect(all.json["items"]).toMatchObject([
      { action: "report", adapter: "dns", details: { outcome: "progress" } },
      { details: { outcome: "GenerationUnknown" } },
    ]);
    const rest = await fleet.call("GET", `${path}/history?size=2&before=${bodyText(all, "next")}`);
    expect(rest.json).toMatchObject({ items: [{ details: { outcome: "verdict" } }], size: 1 });
    expect((await fleet.call("GET", `${path}/history?adapter=x`)).json["items"]).toEqual([]);
  });
});
