import { expect, test } from "vitest";
import { B, HttpCaller } from "../http.ts";
import type { StartFleet } from "../running-fleet.ts";
import { conditionOf, freshName, rollUps } from "../user.ts";
import { describeOn } from "./suite.ts";
import type { Shared } from "./suite.ts";

const UUID_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u;

/** Scenarios 1 to 15: what is declared, and what is refused. */
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
  test("1. a new cluster has generation 1, an id of version 7, a path, and is neither ready nor available", async () => {
    const { user } = shared();
    const cluster = await user.cluster();
    expect(cluster.generation).toBe(1);
    expect(cluster.id).toMatch(UUID_7);
    expect(cluster.href).toBe(`${B}/clusters/${cluster.id}`);
    expect(rollUps(cluster)).toEqual(["F@1 ReconciledMissingAdapters", "F@1 AdaptersMissingReports"]);
    expect(await user.read(cluster)).toEqual(cluster);
    expect(cluster).not.toHaveProperty("deleted_time");
    expect(cluster).not.toHaveProperty("labels");
  });

  test("1. decided: Ready and Available are there too, and equal their aliases in all but the type", async () => {
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

  test("2. a name that is taken is refused, and the first cluster is still there", async () => {
    const { user } = shared();
    const first = await user.cluster();
    const second = await user.http.post(`${B}/clusters`, { kind: "Cluster", name: first.name, spec: {} });
    expect(second.refusal).toBe("409 CNF-001");
    expect(await user.read(first)).toEqual(first);
  });

  test("8. a spec of a hundred keys comes back whole", async () => {
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
  test("3. a name has 3 to 53 small letters, digits and dashes", async () => {
    const { user } = shared();
    const create = (name: unknown) => user.http.post(`${B}/clusters`, { kind: "Cluster", name, spec: {} });
    expect((await create(`${freshName()}${"a".repeat(53)}`.slice(0, 53))).status).toBe(201);
    expect((await create("abc")).status).toBe(201);
    for (const name of ["a".repeat(54), "", "ab", "A", "ABC", "-abc", "abc-", "-a", "a-", "größe", "a_b", "a.b", 7]) {
      const answer = await create(name);
      expect([name, answer.refusal]).toEqual([name, "400 VAL-000"]);
      expect(answer.problem.errors?.map(({ field }) => field)).toEqual(["name"]);
    }
  });

  test("7. labels have the form that Kubernetes gives them", async () => {
    const { user } = shared();
    const create = (labels: unknown) =>
      user.http.post(`${B}/clusters`, { kind: "Cluster", name: freshName(), spec: {}, labels });
    for (const labels of [{ "a b": "x" }, { a: "x".repeat(64) }, { "": "x" }, { a: "-" }, { a: 1 }]) {
      const answer = await create(labels);
      expect([labels, answer.refusal]).toEqual([labels, "400 VAL-000"]);
      expect(answer.problem.errors?.[0]?.field).toMatch(/^labels/u);
    }
    const labels = { "example.com/shard": "1", tier: "x".repeat(63), none: "" };
    expect((await create(labels)).resource.labels).toEqual(labels);
  });
}

function describeRefusals(shared: () => Shared): void {
  test("4. the kind in the body must be that of the path", async () => {
    const { http } = shared().user;
    const create = (kind: unknown) => http.post(`${B}/clusters`, { kind, name: freshName(), spec: {} });
    for (const [kind, message] of [
      ["NodePool", "kind must be 'Cluster'"],
      ["", "kind is required"],
      [undefined, "kind is required"],
    ] as const) {
      const answer = await create(kind);
      expect(answer.status).toBe(400);
      expect(answer.problem.detail).toContain(message);
    }
  });

  test("6. a body that is empty or no JSON is refused as malformed", async () => {
    const { http } = shared().user;
    for (const body of ["", "{", '{"kind":"Cluster",}', "\u0000", "{'a':1}", undefined]) {
      expect([body, (await http.post(`${B}/clusters`, body)).refusal]).toEqual([body, "400 VAL-006"]);
    }
  });

  test("a body that is no object, or has no spec, is refused and names the field", async () => {
    const { http } = shared().user;
    for (const body of [[], 1, "text", null]) {
      expect((await http.post(`${B}/clusters`, JSON.stringify(body))).status).toBe(400);
    }
    const answer = await http.post(`${B}/clusters`, { kind: "Cluster", name: freshName() });
    expect(answer.refusal).toBe("400 VAL-000");
    expect(answer.complaints.join()).toContain("spec");
  });

  test("9. what is not there: a resource NTF-001, a path NTF-000, a method 405 with Allow", async () => {
    const { http } = shared().user;
    expect((await http.get(`${B}/clusters/nope`)).refusal).toBe("404 NTF-001");
    expect((await http.get(`${B}/nope`)).refusal).toBe("404 NTF-000");
    expect((await http.get("/nope")).refusal).toBe("404 NTF-000");
    const wrong = await http.put(`${B}/clusters`, {});
    // Decided: a problem document here too.
    expect(wrong.refusal).toMatch(/^405 /u);
    expect(wrong.headers.allow?.split(/, ?/u).toSorted()).toEqual(["GET", "HEAD", "POST"]);
  });

  test("every problem document has the members of RFC 9457, and the id of its request", async () => {
    const answer = await shared().user.http.get(`${B}/clusters/nope?x=1`, { "x-request-id": "mine" });
    const { problem } = answer;
    expect(problem).toMatchObject({ status: 404, code: "HYPERFLEET-NTF-001", instance: `${B}/clusters/nope` });
    expect(problem.type).toMatch(/^https:\/\/api\.hyperfleet\.io\/errors\/[a-z-]+$/u);
    expect(problem.title).not.toBe("");
    expect(Date.parse(problem.timestamp)).not.toBeNaN();
    expect(problem.trace_id).toMatch(UUID_7);
    expect(answer.headers["x-request-id"]).toBe(problem.trace_id);
    expect(answer.headers.vary).toContain("Authorization");
  });
}

function describeChildren(shared: () => Shared): void {
  test("10. a child is not created without its parent, and the refusal says where", async () => {
    const { http } = shared().user;
    const flat = await http.post(`${B}/nodepools`, { kind: "NodePool", name: "pool", spec: {} });
    expect([flat.status, flat.problem.detail]).toEqual([422, expect.stringContaining("clusters")]);
    const generic = await http.post(`${B}/resources`, { kind: "Version", name: "v", spec: {} });
    expect([generic.status, generic.problem.detail]).toEqual([422, expect.stringContaining("channels")]);
    expect((await http.post(`${B}/resources`, { kind: "Nope", name: "v", spec: {} })).status).toBe(400);
    const cluster = await http.post(`${B}/resources`, { kind: "Cluster", name: freshName(), spec: {} });
    expect([cluster.status, cluster.resource.kind]).toEqual([201, "Cluster"]);
  });

  test("11. a node pool belongs to its cluster, and its name is unique there only", async () => {
    const { user } = shared();
    const [one, two] = [await user.cluster(), await user.cluster()];
    const pool = await user.pool(one.id, { name: "p-1" });
    expect(pool.owner_references).toEqual({ id: one.id, kind: "Cluster", href: one.href });
    expect(pool.href).toBe(`${one.href}/nodepools/${pool.id}`);
    const create = (clusterId: string, name: string) =>
      user.http.post(`${B}/clusters/${clusterId}/nodepools`, { kind: "NodePool", name, spec: {} });
    expect((await create(one.id, "a".repeat(15))).status).toBe(201);
    expect((await create(one.id, "a".repeat(16))).refusal).toBe("400 VAL-000");
    expect((await create(one.id, "ab")).refusal).toBe("400 VAL-000");
    expect((await create(one.id, "p-1")).refusal).toBe("409 CNF-001");
    expect((await create(two.id, "p-1")).status).toBe(201);
    expect((await create("nope", "p-1")).refusal).toBe("404 NTF-001");
  });

  test("11. a node pool is found by its own path, below its cluster and among all resources, not below another", async () => {
    const { user } = shared();
    const [one, two] = [await user.cluster(), await user.cluster()];
    const pool = await user.pool(one.id);
    for (const path of [pool.href, `${B}/nodepools/${pool.id}`, `${B}/resources/${pool.id}`, `${pool.href}/`]) {
      expect((await user.http.get(path)).resource).toEqual(pool);
    }
    expect((await user.http.get(`${B}/clusters/${two.id}/nodepools/${pool.id}`)).refusal).toBe("404 NTF-001");
    expect((await user.http.get(`${B}/channels/${pool.id}`)).refusal).toBe("404 NTF-001");
    const [below, beside] = await Promise.all([one, two].map(({ href }) => user.http.get(`${href}/nodepools`)));
    expect(below?.resources.items).toEqual([pool]);
    expect(beside?.resources).toMatchObject({ items: [], total: 0, size: 0 });
  });
}

function describeSchema(shared: () => Shared): void {
  test("13. a spec is held to its schema, at its creation and at every change", async () => {
    const { user } = shared();
    const create = (spec: unknown) => user.http.post(`${B}/clusters`, { kind: "Cluster", name: freshName(), spec });
    const cluster = await user.cluster();
    for (const answer of [await create({}), await user.http.patch(cluster.href, { spec: {} })]) {
      expect(answer.refusal).toBe("400 VAL-000");
      expect(answer.problem.detail).toContain("Invalid ClusterSpec");
      expect(answer.problem.errors?.[0]?.field).toMatch(/^spec/u);
    }
    const deep = await create({ region: "x", nodes: { count: "many" } });
    expect(deep.problem.errors?.map(({ field }) => field)).toEqual(["spec.nodes.count"]);
    expect(await user.read(cluster)).toEqual(cluster);
  });
}

function describeReading(shared: () => Shared, start: StartFleet): void {
  test("14. only the wanted fields are shown, and the id", async () => {
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
    expect(bogus.refusal).toBe("400 VAL-000");
    expect(`${bogus.problem.detail} ${bogus.complaints.join()}`).toContain("doesn't exist");
    const list = await user.http.get(`${B}/clusters?fields=name&search=${encodeURIComponent(`id='${cluster.id}'`)}`);
    expect(list.json).toMatchObject({ items: [{ id: cluster.id, name: cluster.name }], total: 1, page: 1, size: 1 });
  });

  test("15. the API says what it is, describes itself, and is healthy", async () => {
    const { user, fleet } = shared();
    expect((await user.http.get("/api/hyperfleet")).json).toMatchObject({ id: "hyperfleet", kind: "API" });
    const document = await user.http.get(`${B}/openapi`);
    expect(document.json).toMatchObject({ openapi: expect.stringMatching(/^3\.[01]\./u) });
    expect((await user.http.get(`${B}/openapi.html`)).headers["content-type"]).toContain("text/html");
    using health = new HttpCaller(fleet.healthUrl);
    expect((await health.get("/healthz")).json).toEqual({ status: "ok" });
    expect((await health.get("/readyz")).status).toBe(200);
  });

  test("15. an API whose store is gone is not ready, and says so to its callers", async () => {
    await using fleet = await start();
    await fleet.store.close();
    using health = new HttpCaller(fleet.healthUrl);
    expect((await health.get("/readyz")).status).toBe(503);
    expect((await health.get("/healthz")).status).toBe(200);
    const answer = await fleet.user.http.get(`${B}/clusters`);
    expect(answer.refusal).toBe("503 SVC-001");
    expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
  });
}
