import type { JsonObject, JsonValue } from "@levelset/core";
import { describe, expect, test } from "vitest";
import { TestFleet } from "./fleet-api.fixture.ts";

const valid = { kind: "Cluster", name: "prod", spec: {} };

describe("creating a resource", () => {
  test.each<readonly [JsonValue, string, string]>([
    [{ name: "prod", spec: {} }, "kind", "kind is required"],
    [{ ...valid, kind: "" }, "kind", "kind is required"],
    [{ ...valid, kind: "NodePool" }, "kind", "kind must be 'Cluster'"],
    [{ kind: "Cluster", spec: {} }, "name", "name is required"],
    [{ ...valid, name: "" }, "name", "name is required"],
    [{ ...valid, name: "ab" }, "name", "name must be at least 3 characters"],
    [{ ...valid, name: 5 }, "name", "field 'name' must be a string"],
    [{ kind: "Cluster", name: "prod" }, "spec", "spec is required"],
    [{ ...valid, spec: null }, "spec", "spec is required"],
    [{ ...valid, spec: [] }, "spec", "field 'spec' must be an object"],
    [{ ...valid, labels: "x" }, "labels", "field 'labels' must be an object"],
    [{ ...valid, labels: { a: 1 } }, "labels.a", "field 'labels.a' must be a string"],
    [{ ...valid, labels: { "a b": "x" } }, "labels.a b", "label key must be"],
    [{ ...valid, references: { nope: [] } }, "references.nope", "unknown reference type"],
  ])("%j is refused: %s", async (body, field, message) => {
    await using fleet = await TestFleet.open();
    const { status, json } = await fleet.call("POST", "/clusters", body);
    expect([status, json["code"]]).toEqual([400, "HYPERFLEET-VAL-000"]);
    expect(json["errors"]).toEqual([expect.objectContaining({ field, message: expect.stringContaining(message) })]);
    expect(json["detail"]).toContain(message);
  });

  test("unknown fields and fields set by the server are ignored", async () => {
    await using fleet = await TestFleet.open();
    const created = await fleet.call("POST", "/clusters", { ...valid, id: "mine", generation: 9, labels: null, x: 1 });
    expect([created.status, created.json["generation"], created.json["labels"]]).toEqual([201, 1, undefined]);
    expect(created.json["id"]).not.toBe("mine");
  });

  test("a name is unique per parent, and free again once deletion begins", async () => {
    await using fleet = await TestFleet.open();
    const id = await fleet.create("/clusters", "Cluster", "prod");
    const duplicate = await fleet.call("POST", "/clusters", valid);
    expect([duplicate.status, duplicate.json["code"]]).toEqual([409, "HYPERFLEET-CNF-001"]);
    await fleet.call("DELETE", `/clusters/${id}`);
    const again = await fleet.call("POST", "/clusters", valid);
    expect([again.status, again.json["generation"]]).toEqual([201, 1]);
    const late = await fleet.call("POST", `/clusters/${id}/nodepools`, { kind: "NodePool", name: "pool", spec: {} });
    expect([late.status, late.json["code"]]).toEqual([409, "HYPERFLEET-CNF-003"]);
  });

  test("a child is created only below its parent", async () => {
    await using fleet = await TestFleet.open();
    const flat = await fleet.call("POST", "/nodepools", { kind: "NodePool", name: "pool", spec: {} });
    expect([flat.status, flat.json["detail"]]).toEqual([422, expect.stringContaining("clusters")]);
    const any = await fleet.call("POST", "/resources", { kind: "Version", name: "v1", spec: {} });
    expect([any.status, any.json["detail"]]).toEqual([422, expect.stringContaining("channels")]);
    expect((await fleet.call("POST", "/resources", { kind: "Nope", name: "v1", spec: {} })).status).toBe(400);
    expect((await fleet.call("POST", "/resources", { kind: "Channel", name: "v1", spec: {} })).status).toBe(201);
    expect(
      (await fleet.call("POST", "/clusters/x/nodepools", { kind: "NodePool", name: "pool", spec: {} })).status,
    ).toBe(404);
  });

  test("a spec must match the schema of its kind", async () => {
    const schema = { type: "object", required: ["region"], properties: { region: { type: "string" } } };
    await using fleet = await TestFleet.open({
      entities: [{ kind: "Cluster", plural: "clusters", spec_schema_name: "ClusterSpec" }],
      schemas: { ClusterSpec: schema },
    });
    const refused = await fleet.call("POST", "/clusters", valid);
    expect([refused.status, refused.json["detail"]]).toEqual([400, "Invalid ClusterSpec"]);
    expect(refused.json["errors"]).toEqual([expect.objectContaining({ field: "spec.region" })]);
    const id = await fleet.create("/clusters", "Cluster", "prod");
    expect((await fleet.call("PATCH", `/clusters/${id}`, { spec: { region: 5 } })).json["detail"]).toBe(
      "Invalid ClusterSpec",
    );
  });
});

describe("changing a resource", () => {
  test.each<readonly [JsonValue, string, string | undefined]>([
    [{}, "VAL-005", undefined],
    [{ labels: null }, "VAL-005", undefined],
    [{ name: "x" }, "VAL-000", "name"],
    [{ generation: 9, spec: {} }, "VAL-000", "generation"],
    [{ labels: "x" }, "VAL-000", "labels"],
    [{ spec: "x" }, "VAL-000", "spec"],
  ])("%j is refused with %s", async (body, code, field) => {
    await using fleet = await TestFleet.open();
    const path = `/clusters/${await fleet.create("/clusters", "Cluster", "prod")}`;
    const { status, json } = await fleet.call("PATCH", path, body);
    expect([status, json["code"]]).toEqual([400, `HYPERFLEET-${code}`]);
    const errors = (json["errors"] ?? []) as readonly JsonObject[];
    expect(errors.map((error) => error["field"])).toEqual(field === undefined ? [] : [field]);
  });

  test("each field replaces its previous value, and the generation counts the changes", async () => {
    await using fleet = await TestFleet.open();
    const path = `/clusters/${await fleet.create("/clusters", "Cluster", "prod", { labels: { a: "b" } })}`;
    const patch = async (body: JsonValue): Promise<readonly unknown[]> => {
      const { json } = await fleet.call("PATCH", path, body);
      return [json["generation"], json["labels"], json["spec"]];
    };
    expect(await patch({ spec: { n: 1 } })).toEqual([2, { a: "b" }, { n: 1 }]);
    expect(await patch({ spec: { n: 1 } })).toEqual([2, { a: "b" }, { n: 1 }]);
    expect(await patch({ labels: {} })).toEqual([3, undefined, { n: 1 }]);
  });
});

describe("reports", () => {
  test("PUT and POST are equivalent, on every path to a resource", async () => {
    await using fleet = await TestFleet.open();
    const id = await fleet.create("/clusters", "Cluster", "prod");
    await fleet.report(`/resources/${id}`, "dns", 1, "True");
    const body = {
      adapter: "validation",
      observed_generation: 1,
      observed_time: new Date(fleet.clock.now()).toISOString(),
    };
    const conditions = ["Available", "Applied", "Health"].map((type) => ({ type, status: "True" }));
    const posted = await fleet.call("POST", `/clusters/${id}/statuses`, { ...body, conditions });
    expect([posted.status, posted.json["adapter"]]).toEqual([201, "validation"]);
    expect((await fleet.call("PUT", `/clusters/${id}/statuses`, { ...body, conditions })).status).toBe(204);
    const missing = await fleet.call("PUT", `/clusters/${id}/statuses`, { ...body, adapter: "x", conditions: [] });
    expect([missing.status, missing.json["detail"]]).toEqual([
      400,
      expect.stringContaining("missing mandatory condition"),
    ]);
    expect((await fleet.report("/clusters/nope", "dns", 1, "True")).status).toBe(404);
  });

  test("a bound adapter may only use its own name, and a system caller may only report", async () => {
    const bound = {
      adapters: ["dns"],
      isSystem: true,
      identity: "robot",
      tenancy: {},
      scope: { kind: "all" } as const,
    };
    const authenticate = ({
      headers,
      requestId,
    }: {
      headers: { get(name: string): string | undefined };
      requestId: string;
    }) =>
      Promise.resolve(
        headers.get("as") === "robot"
          ? { ...bound, requestId }
          : { ...bound, adapters: [], isSystem: false, requestId },
      );
    await using fleet = await TestFleet.open({ api: { authenticator: { authenticate } } });
    const id = await fleet.create("/clusters", "Cluster", "prod");
    const as = { as: "robot" };
    const report = (adapter: string) =>
      fleet.call(
        "PUT",
        `/clusters/${id}/statuses`,
        {
          adapter,
          observed_generation: 1,
          observed_time: new Date(fleet.clock.now()).toISOString(),
          conditions: ["Available", "Applied", "Health"].map((type) => ({ type, status: "True" })),
        },
        as,
      );
    const forged = await report("validation");
    expect([forged.status, forged.json["code"]]).toEqual([403, "HYPERFLEET-AUZ-001"]);
    expect(forged.json["errors"]).toEqual([expect.objectContaining({ field: "adapter" })]);
    expect((await report("dns")).status).toBe(201);
    for (const [method, path, body] of [
      ["POST", "/clusters", valid],
      ["PATCH", `/clusters/${id}`, { labels: {} }],
      ["DELETE", `/clusters/${id}`, undefined],
      ["POST", `/clusters/${id}/force-delete`, { reason: "x" }],
    ] as const) {
      expect((await fleet.call(method, path, body, as)).status).toBe(403);
    }
  });
});
