import { expect, test } from "vitest";
import { API_BASE, FleetHttpClient } from "../../../support/fleet/http.ts";
import type { StartFleet } from "../../../support/fleet/running-fleet.ts";
import { conditionOf, freshName, rollUps } from "../../../support/fleet/fleet-user.ts";
import { describeOn } from "./suite.ts";
import type { Shared } from "./suite.ts";

const UUID_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u;

/** Declarations and validation. */
export function describeDeclaration(start: StartFleet): void {
  describeOn("declaring", start, (shared) => {
    describeCreation(shared);
    describeNames(shared);
    describeRefusals(shared);
    describeChildren(shared);
    describeReading(shared, start);
  });
  describeOn("specs with a schema", start, describeSchema, { schemas: { ClusterSpec: CLUSTER_SPEC } });
}

const CLUSTER_SPEC = {
  type: "object",
  required: ["region"],
  properties: { region: { type: "string" }, nodes: { type: "object", properties: { count: { type: "integer" } } } },
};

function describeCreation(shared: () => Shared): void {
  test("a new cluster has generation 1, a UUIDv7, a path, and is neither ready nor available", async () => {
    const { user } = shared();
    const cluster = await user.cluster();
    expect(cluster.generation).toBe(1);
    expect(cluster.id).toMatch(UUID_7);
    expect(cluster.href).toBe(`${API_BASE}/clusters/${cluster.id}`);
    expect(rollUps(cluster)).toEqual(["F@1 ReconciledMissingAdapters", "F@1 AdaptersMissingReports"]);
    expect(await user.read(cluster)).toEqual(cluster);
    expect(cluster).not.toHaveProperty("deleted_time");
    expect(cluster).not.toHaveProperty("labels");
  });

  test("Ready and Available are present, and equal the aliases except for the type", async () => {
    const cluster = await shared().user.cluster();
    for (const [type, alias] of [
      ["Ready", "Reconciled"],
      ["Available", "LastKnownReconciled"],
    ] as const) {
      expect({ ...conditionOf(cluster, type), type: alias }).toEqual(conditionOf(cluster, alias));
    }
  });

  test("readiness is in conditions and generations: a status has no phase, before and after it is Ready", async () => {
    const { user } = shared();
    const cluster = await user.cluster();
    expect(cluster.status).not.toHaveProperty("phase");
    await user.all(cluster.id, 1, "True");
    const { status } = await user.read(cluster.id);
    expect(Object.keys(status)).toEqual(["conditions"]);
  });

  test("a duplicate name is refused, and the first cluster stays", async () => {
    const { user } = shared();
    const first = await user.cluster();
    const second = await user.http.post(`${API_BASE}/clusters`, { kind: "Cluster", name: first.name, spec: {} });
    expect(second.problemSummary).toBe("409 CNF-001");
    expect(await user.read(first)).toEqual(first);
  });

  test("a spec with a hundred keys is returned unchanged", async () => {
    const { user } = shared();
    const spec = Object.fromEntries(Array.from({ length: 100 }, (_, key) => [`key${key}`, "x".repeat(90)]));
    const cluster = await user.cluster({ spec });
    expect((await user.read(cluster)).spec).toEqual(spec);
  });

  test("client's own id, href and unknown members of a new resource are ignored", async () => {
    const cluster = await shared().user.cluster({ id: "mine", href: "/mine", generation: 9, more: { a: 1 } });
    expect(cluster.id).toMatch(UUID_7);
    expect(cluster.generation).toBe(1);
    expect(cluster).not.toHaveProperty("more");
  });
}

function describeNames(shared: () => Shared): void {
  test("a name has 3 to 53 lower-case letters, digits and dashes", async () => {
    const { user } = shared();
    const create = (name: unknown) => user.http.post(`${API_BASE}/clusters`, { kind: "Cluster", name, spec: {} });
    expect((await create(`${freshName()}${"a".repeat(53)}`.slice(0, 53))).status).toBe(201);
    expect((await create("abc")).status).toBe(201);
    for (const name of ["a".repeat(54), "", "ab", "A", "ABC", "-abc", "abc-", "-a", "a-", "größe", "a_b", "a.b", 7]) {
      const response = await create(name);
      expect([name, response.problemSummary]).toEqual([name, "400 VAL-000"]);
      expect(response.problem.errors?.map(({ field }) => field)).toEqual(["name"]);
    }
  });

  test("labels have the syntax of Kubernetes labels", async () => {
    const { user } = shared();
    const create = (labels: unknown) =>
      user.http.post(`${API_BASE}/clusters`, { kind: "Cluster", name: freshName(), spec: {}, labels });
    for (const labels of [{ "a b": "x" }, { a: "x".repeat(64) }, { "": "x" }, { a: "-" }, { a: 1 }]) {
      const response = await create(labels);
      expect([labels, response.problemSummary]).toEqual([labels, "400 VAL-000"]);
      expect(response.problem.errors?.[0]?.field).toMatch(/^labels/u);
    }
    const labels = { "example.com/shard": "1", tier: "x".repeat(63), none: "" };
    expect((await create(labels)).resource.labels).toEqual(labels);
  });
}

function describeRefusals(shared: () => Shared): void {
  test("the kind in the body must match the path", async () => {
    const { http } = shared().user;
    const create = (kind: unknown) => http.post(`${API_BASE}/clusters`, { kind, name: freshName(), spec: {} });
    for (const [kind, message] of [
      ["NodePool", "kind must be 'Cluster'"],
      ["", "kind is required"],
      [undefined, "kind is required"],
    ] as const) {
      const response = await create(kind);
      expect(response.status).toBe(400);
      expect(response.problem.detail).toContain(message);
    }
  });

  test("an empty or malformed body is refused", async () => {
    const { http } = shared().user;
    for (const body of ["", "{", '{"kind":"Cluster",}', "\u0000", "{'a':1}", undefined]) {
      expect([body, (await http.post(`${API_BASE}/clusters`, body)).problemSummary]).toEqual([body, "400 VAL-006"]);
    }
  });

  test("a body without an object or spec is refused with the field", async () => {
    const { http } = shared().user;
    for (const body of [[], 1, "text", null]) {
      expect((await http.post(`${API_BASE}/clusters`, JSON.stringify(body))).status).toBe(400);
    }
    const response = await http.post(`${API_BASE}/clusters`, { kind: "Cluster", name: freshName() });
    expect(response.problemSummary).toBe("400 VAL-000");
    expect(response.fieldErrors.join()).toContain("spec");
  });

  test("a missing resource is NTF-001, a missing path NTF-000, a wrong method 405 with Allow", async () => {
    const { http } = shared().user;
    expect((await http.get(`${API_BASE}/clusters/nope`)).problemSummary).toBe("404 NTF-001");
    expect((await http.get(`${API_BASE}/nope`)).problemSummary).toBe("404 NTF-000");
    expect((await http.get("/nope")).problemSummary).toBe("404 NTF-000");
    const wrong = await http.put(`${API_BASE}/clusters`, {});
    // A problem document here too.
    expect(wrong.problemSummary).toMatch(/^405 /u);
    expect(wrong.headers.allow?.split(/, ?/u).toSorted()).toEqual(["GET", "HEAD", "POST"]);
  });

  test("every problem document has the members of RFC 9457, and the request ID", async () => {
    const response = await shared().user.http.get(`${API_BASE}/clusters/nope?x=1`, { "x-request-id": "mine" });
    const { problem } = response;
    expect(problem).toMatchObject({ status: 404, code: "HYPERFLEET-NTF-001", instance: `${API_BASE}/clusters/nope` });
    expect(problem.type).toMatch(/^https:\/\/api\.hyperfleet\.io\/errors\/[a-z-]+$/u);
    expect(problem.title).not.toBe("");
    expect(Date.parse(problem.timestamp)).not.toBeNaN();
    expect(problem.trace_id).toMatch(UUID_7);
    expect(response.headers["x-request-id"]).toBe(problem.trace_id);
    expect(response.headers.vary).toContain("Authorization");
  });
}

function describeChildren(shared: () => Shared): void {
  test("a child is not created without its parent, and the error names the path to use", async () => {
    const { http } = shared().user;
    const flat = await http.post(`${API_BASE}/nodepools`, { kind: "NodePool", name: "pool", spec: {} });
    expect([flat.status, flat.problem.detail]).toEqual([422, expect.stringContaining("clusters")]);
    const generic = await http.post(`${API_BASE}/resources`, { kind: "Version", name: "v", spec: {} });
    expect([generic.status, generic.problem.detail]).toEqual([422, expect.stringContaining("channels")]);
    expect((await http.post(`${API_BASE}/resources`, { kind: "Nope", name: "v", spec: {} })).status).toBe(400);
    const cluster = await http.post(`${API_BASE}/resources`, { kind: "Cluster", name: freshName(), spec: {} });
    expect([cluster.status, cluster.resource.kind]).toEqual([201, "Cluster"]);
  });

  test("a node pool belongs to its cluster, and its name is unique there only", async () => {
    const { user } = shared();
    const [one, two] = [await user.cluster(), await user.cluster()];
    const pool = await user.pool(one.id, { name: "p-1" });
    expect(pool.owner_references).toEqual({ id: one.id, kind: "Cluster", href: one.href });
    expect(pool.href).toBe(`${one.href}/nodepools/${pool.id}`);
    const create = (clusterId: string, name: string) =>
      user.http.post(`${API_BASE}/clusters/${clusterId}/nodepools`, { kind: "NodePool", name, spec: {} });
    expect((await create(one.id, "a".repeat(15))).status).toBe(201);
    expect((await create(one.id, "a".repeat(16))).problemSummary).toBe("400 VAL-000");
    expect((await create(one.id, "ab")).problemSummary).toBe("400 VAL-000");
    expect((await create(one.id, "p-1")).problemSummary).toBe("409 CNF-001");
    expect((await create(two.id, "p-1")).status).toBe(201);
    expect((await create("nope", "p-1")).problemSummary).toBe("404 NTF-001");
  });

  test("a node pool is found by its own path, below its cluster and among all resources, not below another", async () => {
    const { user } = shared();
    const [one, two] = [await user.cluster(), await user.cluster()];
    const pool = await user.pool(one.id);
    for (const path of [
      pool.href,
      `${API_BASE}/nodepools/${pool.id}`,
      `${API_BASE}/resources/${pool.id}`,
      `${pool.href}/`,
    ]) {
      expect((await user.http.get(path)).resource).toEqual(pool);
    }
    expect((await user.http.get(`${API_BASE}/clusters/${two.id}/nodepools/${pool.id}`)).problemSummary).toBe(
      "404 NTF-001",
    );
    expect((await user.http.get(`${API_BASE}/channels/${pool.id}`)).problemSummary).toBe("404 NTF-001");
    const [below, beside] = await Promise.all([one, two].map(({ href }) => user.http.get(`${href}/nodepools`)));
    expect(below?.resources.items).toEqual([pool]);
    expect(beside?.resources).toMatchObject({ items: [], total: 0, size: 0 });
  });
}

function describeSchema(shared: () => Shared): void {
  test("a spec is validated against its schema on creation and on every change", async () => {
    const { user } = shared();
    const create = (spec: unknown) =>
      user.http.post(`${API_BASE}/clusters`, { kind: "Cluster", name: freshName(), spec });
    const cluster = await user.cluster();
    for (const response of [await create({}), await user.http.patch(cluster.href, { spec: {} })]) {
      expect(response.problemSummary).toBe("400 VAL-000");
      expect(response.problem.detail).toContain("Invalid ClusterSpec");
      expect(response.problem.errors?.[0]?.field).toMatch(/^spec/u);
    }
    const deep = await create({ region: "x", nodes: { count: "many" } });
    expect(deep.problem.errors?.map(({ field }) => field)).toEqual(["spec.nodes.count"]);
    expect(await user.read(cluster)).toEqual(cluster);
  });
}

function describeReading(shared: () => Shared, start: StartFleet): void {
  test("only the selected fields and the ID are returned", async () => {
    const { user } = shared();
    const cluster = await user.cluster();
    const get = (fields: string) => user.http.get(`${cluster.href}?fields=${fields}`);
    expect((await get("id,name")).json).toEqual({ id: cluster.id, name: cluster.name });
    expect((await get("name")).json).toEqual({ id: cluster.id, name: cluster.name });
    expect((await get("status.conditions.type")).json).toEqual({
      id: cluster.id,
      status: { conditions: cluster.status.conditions.map(({ type }) => ({ type })) },
    });
    const bogus = await get("bogus");
    expect(bogus.problemSummary).toBe("400 VAL-000");
    expect(`${bogus.problem.detail} ${bogus.fieldErrors.join()}`).toContain("doesn't exist");
    const list = await user.http.get(
      `${API_BASE}/clusters?fields=name&search=${encodeURIComponent(`id='${cluster.id}'`)}`,
    );
    expect(list.json).toMatchObject({ items: [{ id: cluster.id, name: cluster.name }], total: 1, page: 1, size: 1 });
  });

  test("the API reports its version, its OpenAPI document and its health", async () => {
    const { user, fleet } = shared();
    expect((await user.http.get("/api/hyperfleet")).json).toMatchObject({ id: "hyperfleet", kind: "API" });
    const document = await user.http.get(`${API_BASE}/openapi`);
    expect(document.json).toMatchObject({ openapi: expect.stringMatching(/^3\.[01]\./u) });
    expect((await user.http.get(`${API_BASE}/openapi.html`)).headers["content-type"]).toContain("text/html");
    using health = new FleetHttpClient(fleet.healthUrl);
    expect((await health.get("/healthz")).json).toEqual({ status: "ok" });
    expect((await health.get("/readyz")).status).toBe(200);
  });

  test("an API without its store is not ready, and answers with 503", async () => {
    await using fleet = await start();
    await fleet.store.close();
    using health = new FleetHttpClient(fleet.healthUrl);
    expect((await health.get("/readyz")).status).toBe(503);
    expect((await health.get("/healthz")).status).toBe(200);
    const response = await fleet.user.http.get(`${API_BASE}/clusters`);
    expect(response.problemSummary).toBe("503 SVC-001");
    expect(Number(response.headers["retry-after"])).toBeGreaterThan(0);
  });
}
