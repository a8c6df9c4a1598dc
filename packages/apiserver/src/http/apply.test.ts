import { describe, expect, test } from "vitest";
import { ApiHarness, apiWithSimple, configMap, CONFIGMAPS, simple, SIMPLES } from "./api.fixture.ts";
import type { TestResponse, TestObject } from "./api.fixture.ts";

const APPLY = { type: "application/apply-patch+yaml" };
const DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";

function apply(api: ApiHarness, path: string, manager: string, body: unknown, query = ""): Promise<TestResponse> {
  return api.call("PATCH", `${path}?fieldManager=${manager}${query}`, body, APPLY);
}

/** The field managers of an object with operation and subresource. */
function ownersOf({ metadata }: TestObject): unknown {
  return (metadata.managedFields ?? []).map(({ manager, operation, subresource, fieldsV1 }) => {
    return [[manager, operation, ...(subresource === undefined ? [] : [subresource])].join(" "), fieldsV1];
  });
}

function fields(...keys: readonly string[]): unknown {
  return { "f:data": Object.fromEntries(keys.map((key) => [`f:${key}`, {}])) };
}

describe("server-side apply", () => {
  test("creates a missing object, then updates it, and owns the applied fields", async () => {
    const api = new ApiHarness();
    const created = await apply(api, `${CONFIGMAPS}/a`, "me", configMap("a", { k: "1", l: "1" }));
    expect([created.code, created.body.data]).toEqual([201, { k: "1", l: "1" }]);
    const changed = await apply(api, `${CONFIGMAPS}/a`, "me", configMap("a", { k: "2" }));
    expect([changed.code, changed.body.data, ownersOf(changed.body)]).toEqual([
      200,
      { k: "2" },
      [["me Apply", fields("k")]],
    ]);
  });

  test("reads YAML", async () => {
    const api = new ApiHarness();
    const text = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  k: |\n    two\n    lines\n";
    expect((await apply(api, `${CONFIGMAPS}/a`, "me", text)).body.data).toEqual({ k: "two\nlines\n" });
  });

  test("uses the last value of a duplicate key, and rejects duplicates under strict validation", async () => {
    const api = new ApiHarness();
    const text = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  k: "1"\n  k: "2"\n';
    const problem = 'line 7: key "k" already set in map';
    const strict = await apply(api, `${CONFIGMAPS}/a`, "me", text, "&fieldValidation=Strict");
    expect([strict.code, strict.body.message]).toEqual([
      400,
      `error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n  ${problem}`,
    ]);
    const warned = await apply(api, `${CONFIGMAPS}/a`, "me", text);
    expect(warned.body.data).toEqual({ k: "2" });
  });

  test("of an unchanged configuration does not write: version and time stay", async () => {
    const api = new ApiHarness();
    const { body } = await apply(api, `${CONFIGMAPS}/a`, "me", configMap("a", { k: "1" }));
    await api.clock.advance(5_000);
    const again = await apply(api, `${CONFIGMAPS}/a`, "me", configMap("a", { k: "1" }));
    expect([again.code, again.body.metadata]).toEqual([200, body.metadata]);
  });

  test("returns a conflict for fields of another manager, unless forced", async () => {
    const api = new ApiHarness();
    await api.call("POST", `${CONFIGMAPS}?fieldManager=creator`, configMap("a", { k: "1", l: "1" }));
    const refused = await apply(api, `${CONFIGMAPS}/a`, "me", configMap("a", { k: "2", l: "1" }));
    expect([refused.code, refused.body.reason, refused.body.message, refused.body.details]).toEqual([
      409,
      "Conflict",
      'Apply failed with 1 conflict: conflict with "creator" using v1: .data.k',
      { causes: [{ reason: "FieldManagerConflict", message: 'conflict with "creator" using v1', field: ".data.k" }] },
    ]);
    const forced = await apply(api, `${CONFIGMAPS}/a`, "me", configMap("a", { k: "2", l: "1" }), "&force=true");
    expect(forced.body.data).toEqual({ k: "2", l: "1" });
    expect(ownersOf(forced.body)).toEqual([
      ["me Apply", fields("k", "l")],
      ["creator Update", { "f:data": { ".": {}, "f:l": {} } }],
    ]);
  });

  test("does not store anything in a dry run", async () => {
    const api = new ApiHarness();
    const dry = await apply(api, `${CONFIGMAPS}/a`, "me", configMap("a", { k: "1" }), "&dryRun=All");
    expect([dry.code, dry.body.data]).toEqual([201, { k: "1" }]);
    expect((await api.get(`${CONFIGMAPS}/a`)).code).toBe(404);
  });

  test("checks the resourceVersion and uid in the configuration", async () => {
    const api = new ApiHarness();
    const { body } = await apply(api, `${CONFIGMAPS}/a`, "me", configMap("a", { k: "1" }));
    const { uid, resourceVersion } = body.metadata;
    const at = (metadata: object): unknown => ({ ...configMap("a", { k: "2" }), metadata: { name: "a", ...metadata } });
    expect((await apply(api, `${CONFIGMAPS}/a`, "me", at({ resourceVersion: "1" }))).code).toBe(409);
    expect((await apply(api, `${CONFIGMAPS}/a`, "me", at({ uid: "other" }))).code).toBe(409);
    expect((await apply(api, `${CONFIGMAPS}/a`, "me", at({ uid, resourceVersion }))).code).toBe(200);
    expect((await apply(api, `${CONFIGMAPS}/b`, "me", { ...configMap("b"), metadata: { name: "b", uid } })).code).toBe(
      409,
    );
  });

  test("sets defaults without an owner, and validates the result", async () => {
    const api = await apiWithSimple();
    const { body } = await apply(api, `${SIMPLES}/a`, "me", simple("a", { mode: "fast" }));
    expect([body.spec, ownersOf(body)]).toEqual([
      { mode: "fast", replicas: 1 },
      [["me Apply", { "f:spec": { "f:mode": {} } }]],
    ]);
    const invalid = await apply(api, `${SIMPLES}/a`, "me", simple("a", { replicas: -1 }));
    expect([invalid.code, invalid.body.reason]).toEqual([422, "Invalid"]);
    const unknown = await apply(api, `${SIMPLES}/a`, "me", simple("a", { nope: 1 }));
    expect([unknown.code, unknown.body.message]).toEqual([
      500,
      "failed to create typed patch object (/a; examples.levelset.dev/v1, Kind=Simple): .spec.nope: field not declared in schema",
    ]);
  });

  test("to the status owns status fields only", async () => {
    const api = await apiWithSimple();
    const missing = await apply(api, `${SIMPLES}/a/status`, "it", { ...simple("a"), status: { seen: 1 } });
    expect(missing.code).toBe(404);
    await apply(api, `${SIMPLES}/a`, "me", simple("a", { mode: "fast" }));
    const { body } = await apply(api, `${SIMPLES}/a/status`, "it", {
      ...simple("a", { mode: "safe" }, { labels: { l: "1" } }),
      status: { seen: 1 },
    });
    expect([body.spec?.["mode"], body["status"], ownersOf(body)]).toEqual([
      "fast",
      { seen: 1 },
      [
        ["it Apply status", { "f:status": { "f:seen": {} } }],
        ["me Apply", { "f:spec": { "f:mode": {} } }],
      ],
    ]);
  });

  test("merges containers and ports by key, including defaults of the keys", async () => {
    const api = new ApiHarness();
    const deployment = (containers: readonly object[]): object => ({
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "a" },
      spec: {
        selector: { matchLabels: { app: "a" } },
        template: { metadata: { labels: { app: "a" } }, spec: { containers } },
      },
    });
    await apply(
      api,
      `${DEPLOYMENTS}/a`,
      "me",
      deployment([{ name: "c", image: "i:1", ports: [{ containerPort: 80 }] }]),
    );
    const sidecar = { name: "s", image: "s:1" };
    const port = { name: "c", image: "i:1", ports: [{ containerPort: 80, protocol: "TCP", name: "web" }] };
    const { code, body } = await apply(api, `${DEPLOYMENTS}/a`, "other", deployment([port, sidecar]));
    expect(code).toBe(200);
    const template = body.spec?.["template"] as { spec: { containers: { name: string; ports?: unknown }[] } };
    expect(template.spec.containers.map(({ name, ports }) => [name, ports])).toEqual([
      ["c", [{ containerPort: 80, name: "web", protocol: "TCP" }]],
      ["s", undefined],
    ]);
  });
});

describe("field managers", () => {
  test("are named by the query parameter, or by the User-Agent", async () => {
    const api = new ApiHarness();
    const request = (agent: string): Request =>
      new Request(`http://cluster.invalid${CONFIGMAPS}`, {
        method: "POST",
        headers: { "content-type": "application/json", "user-agent": agent },
        body: JSON.stringify({ ...configMap("x"), metadata: { generateName: "x-" }, data: { k: "1" } }),
      });
    const created = (await (await api.fetch(request("kubectl/v1.36 (linux)"))).json()) as TestObject;
    expect(created.metadata.managedFields).toEqual([
      {
        manager: "kubectl",
        operation: "Update",
        apiVersion: "v1",
        time: created.metadata.creationTimestamp,
        fieldsType: "FieldsV1",
        fieldsV1: { "f:data": { ".": {}, "f:k": {} }, "f:metadata": { "f:generateName": {} } },
      },
    ]);
    const named = await api.call("POST", `${CONFIGMAPS}?fieldManager=me`, configMap("a", { k: "1" }));
    expect(named.body.metadata.managedFields?.[0]?.manager).toBe("me");
  });

  test("are updated by every kind of write, and included in lists", async () => {
    const api = await apiWithSimple();
    await api.call("POST", `${SIMPLES}?fieldManager=a`, simple("a", { mode: "fast" }));
    const live = (await api.get(`${SIMPLES}/a`)).body;
    await api.call("PUT", `${SIMPLES}/a?fieldManager=b`, { ...live, spec: { replicas: 2, mode: "fast" } });
    await api.merge(`${SIMPLES}/a?fieldManager=c`, { metadata: { labels: { l: "1" } } });
    await api.merge(`${SIMPLES}/a/status?fieldManager=d`, { status: { seen: 1 } });
    const [item] = (await api.get(SIMPLES)).body.items ?? [];
    expect(item === undefined ? undefined : ownersOf(item)).toEqual([
      ["a Update", { "f:spec": { ".": {}, "f:mode": {} } }],
      ["b Update", { "f:spec": { "f:replicas": {} } }],
      ["c Update", { "f:metadata": { "f:labels": { ".": {}, "f:l": {} } } }],
      ["d Update status", { "f:status": { ".": {}, "f:seen": {} } }],
    ]);
  });

  test("are cleared on request, until the next apply", async () => {
    const api = new ApiHarness();
    await api.call("POST", `${CONFIGMAPS}?fieldManager=a`, configMap("a", { k: "1" }));
    const reset = await api.merge(`${CONFIGMAPS}/a`, { metadata: { managedFields: [{}] } });
    expect(reset.body.metadata.managedFields).toBeUndefined();
    const written = await api.merge(`${CONFIGMAPS}/a`, { data: { l: "1" } });
    expect(written.body.metadata.managedFields).toBeUndefined();
    const applied = await apply(api, `${CONFIGMAPS}/a`, "me", configMap("a", { k: "1" }));
    expect(ownersOf(applied.body)).toEqual([
      ["me Apply", fields("k")],
      ["before-first-apply Update", { "f:data": { ".": {}, "f:k": {}, "f:l": {} } }],
    ]);
  });

  test("can be rewritten, as kubectl does to transfer fields; invalid entries are skipped", async () => {
    const api = new ApiHarness();
    await api.call("POST", `${CONFIGMAPS}?fieldManager=a`, configMap("a", { k: "1" }));
    const entry = { manager: "b", operation: "Apply", apiVersion: "v1", fieldsType: "FieldsV1", fieldsV1: fields("k") };
    const given = await api.merge(`${CONFIGMAPS}/a`, { metadata: { managedFields: [entry] } });
    expect(ownersOf(given.body)).toEqual([["b Apply", fields("k")]]);
    const broken = await api.merge(`${CONFIGMAPS}/a`, {
      metadata: { managedFields: [{ ...entry, operation: "Jump" }] },
    });
    expect([broken.code, ownersOf(broken.body)]).toEqual([200, [["b Apply", fields("k")]]]);
  });

  test("match the latest write under concurrent writes", async () => {
    const api = new ApiHarness();
    await apply(api, `${CONFIGMAPS}/a`, "m0", configMap("a", { k0: "1" }));
    const names = Array.from({ length: 4 }, (_, index) => `m${index + 1}`);
    const answers = await Promise.all(
      names.map((name) => apply(api, `${CONFIGMAPS}/a`, name, configMap("a", { [name]: "1" }))),
    );
    expect(answers.map(({ code }) => code)).toEqual([200, 200, 200, 200]);
    const { body } = await api.get(`${CONFIGMAPS}/a`);
    expect(Object.keys(body.data ?? {}).toSorted()).toEqual(["k0", ...names]);
    expect(body.metadata.managedFields?.map(({ manager }) => manager)).toEqual(["m0", ...names]);
  });
});
