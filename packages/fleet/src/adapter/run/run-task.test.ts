import type { JsonObject, JsonValue } from "@levelset/core";
import { describe, expect, test } from "vitest";
import { MemoryTransport, run, ScriptedApi } from "./run.fixture.ts";
import type { TaskOutcome } from "./run-task.ts";

function failures({ errors }: TaskOutcome): readonly string[] {
  return errors.map(({ phase, step, message }) => `${phase}/${step}: ${message}`);
}

const STATE = { id: "c1", name: "eu", generation: 2, status: { phase: "up" }, n: 5, list: ["a"] };

/** A task that reads the cluster as a param and reports its own variables. */
function reporting(part: JsonObject): JsonObject {
  return {
    params: [{ name: "cluster", source: { api_call: { method: "GET", url: "/clusters/c1" } } }],
    ...part,
    post: {
      payloads: [{ name: "payload", build: { adapter: { expression: "adapter" }, has: { expression: "resources" } } }],
      post_actions: [{ name: "send", api_call: { method: "PUT", url: "/statuses", body: "{{ .payload }}" } }],
    },
  };
}

/** Runs a reporting task and returns its report. */
async function reported(part: JsonObject, more: Omit<Parameters<typeof run>[0], "task"> = {}): Promise<JsonValue> {
  const api = more.api ?? new ScriptedApi({ "GET /clusters/c1": STATE, "PUT /statuses": {} });
  await run({ task: reporting(part), ...more, api });
  return api.bodies("PUT", "/statuses")[0] ?? "nothing";
}

describe("preconditions", () => {
  test.each<[JsonObject, boolean]>([
    [{ field: "cluster.name", operator: "equals", value: "eu" }, true],
    [{ field: "cluster.n", operator: "equals", value: 5 }, true],
    [{ field: "cluster.name", operator: "notEquals", value: "eu" }, false],
    [{ field: "cluster.name", operator: "in", values: ["eu", "us"] }, true],
    [{ field: "cluster.name", operator: "notIn", values: ["eu"] }, false],
    [{ field: "cluster.list", operator: "contains", value: "a" }, true],
    [{ field: "cluster.name", operator: "contains", value: "x" }, false],
    [{ field: "cluster.n", operator: "greaterThan", value: 4 }, true],
    [{ field: "cluster.n", operator: "lessThan", value: 5 }, false],
    [{ field: "cluster.deleted_time", operator: "exists" }, false],
    [{ field: "{.cluster.status.phase}", operator: "equals", value: "up" }, true],
  ])("%j: %s", async (condition, isMet) => {
    const report = await reported({ preconditions: [{ name: "p", conditions: [condition] }] });
    expect(report).toMatchObject({ adapter: { resourcesSkipped: !isMet, executionStatus: "success" } });
  });

  test("the first precondition that is not met gives the reason, and later ones are not evaluated", async () => {
    const api = new ScriptedApi({ "GET /clusters/c1": STATE, "PUT /statuses": {} });
    const preconditions = [
      { name: "first", conditions: [{ field: "cluster.name", operator: "equals", value: "us" }] },
      { name: "second", api_call: { method: "GET", url: "/second" } },
    ];
    expect(await reported({ preconditions }, { api })).toMatchObject({
      adapter: { skipReason: `precondition 'first' not met: cluster.name equals "us" (actual: "eu")` },
    });
    expect(api.sent.map(({ path }) => path)).not.toContain("/api/hyperfleet/v1/second");
  });

  test("captures read values from a response, with defaults for absent ones", async () => {
    const preconditions = [
      {
        name: "state",
        api_call: { method: "GET", url: "/clusters/c1" },
        capture: [
          { name: "phase", field: "status.phase" },
          { name: "gone", field: "deleted_time", default: "never" },
          { name: "doubled", expression: "n * 2" },
        ],
        expression: "phase == 'up' && gone == 'never' && doubled == 10 && !has(state.deleted_time)",
      },
    ];
    expect(await reported({ preconditions })).toMatchObject({ adapter: { resourcesSkipped: false } });
  });

  test("an API failure is reported as a failure of the phase", async () => {
    const api = new ScriptedApi({ "GET /clusters/c1": STATE, "GET /state": 500, "PUT /statuses": {} });
    const preconditions = [{ name: "state", api_call: { method: "GET", url: "/state" } }];
    expect(await reported({ preconditions }, { api })).toMatchObject({
      adapter: { executionStatus: "failed", executionError: { phase: "preconditions", step: "state" } },
    });
    expect(api.sent.filter(({ path }) => path.endsWith("/state"))).toHaveLength(3);
  });

  test("a deleted resource is neither a failure nor reported; an unknown path is a failure", async () => {
    const preconditions = [{ name: "state", api_call: { method: "GET", url: "/state" } }];
    expect(await reported({ preconditions })).toBe("nothing");
    const api = new ScriptedApi({ "GET /clusters/c1": STATE, "GET /state": 404.5, "PUT /statuses": {} });
    expect(await reported({ preconditions }, { api })).toMatchObject({ adapter: { executionStatus: "failed" } });
  });

  test("an invalid URL fails the phase at its step, and no request is sent", async () => {
    const api = new ScriptedApi({ "GET /clusters/c1": { ...STATE, name: "no host" }, "PUT /statuses": {} });
    const preconditions = [{ name: "p", api_call: { method: "GET", url: "http://{{ .cluster.name }}/x" } }];
    expect(await reported({ preconditions }, { api })).toMatchObject({
      adapter: { executionError: { phase: "preconditions", step: "p", message: '"http://no host/x" is not a URL' } },
    });
  });

  test("an expression with a mistake fails the phase visibly", async () => {
    const preconditions = [{ name: "p", expression: "cluster.name + 1 == 2" }];
    expect(await reported({ preconditions })).toMatchObject({
      adapter: { executionStatus: "failed", executionError: { phase: "preconditions", step: "p" } },
    });
  });
});

/** A resource of a task. */
function resource(name: string, more: JsonObject = {}): JsonObject {
  const annotations = { "hyperfleet.io/generation": "{{ .cluster.generation }}" };
  const manifest = { apiVersion: "v1", kind: "Thing", metadata: { name, annotations } };
  return { name, manifest, discovery: { by_name: name }, ...more };
}

const DELETED = { lifecycle: { delete: { when: { expression: "has(cluster.deleted_time)" } } } };

/** An API whose cluster has the given generation and optional fields. */
function apiAt(generation: number, more: JsonObject = {}): ScriptedApi {
  return new ScriptedApi({ "GET /clusters/c1": { ...STATE, generation, ...more }, "PUT /statuses": {} });
}

const DELETING = { deleted_time: "2027-01-15T07:00:00Z" };

describe("resources", () => {
  test("are created in order, unchanged at the same generation, updated at another, and recreated on request", async () => {
    const cluster = new MemoryTransport();
    const resources = [resource("space"), resource("job", { recreate_on_change: true })];
    await reported({ resources }, { cluster, api: apiAt(1) });
    await reported({ resources }, { cluster, api: apiAt(1) });
    await reported({ resources }, { cluster, api: apiAt(2) });
    expect(cluster.operations).toEqual([
      "created Thing/space",
      "created Thing/job",
      "unchanged Thing/space",
      "unchanged Thing/job",
      "updated Thing/space",
      "recreated Thing/job",
    ]);
  });

  test("are recreated when recreate.when is true, and then not for another generation", async () => {
    const cluster = new MemoryTransport();
    const when = { expression: "cluster.n > 5" };
    const resources = [resource("job", { recreate_on_change: true, lifecycle: { recreate: { when } } })];
    await reported({ resources }, { cluster, api: apiAt(1) });
    await reported({ resources }, { cluster, api: apiAt(2) });
    await reported({ resources }, { cluster, api: apiAt(2, { n: 6 }) });
    expect(cluster.operations).toEqual(["created Thing/job", "updated Thing/job", "recreated Thing/job"]);
  });

  test("a failed apply ends the phase, and is reported", async () => {
    const cluster = new MemoryTransport();
    cluster.failing.set("one", { at: "apply", isTransient: true });
    expect(await reported({ resources: [resource("one"), resource("two")] }, { cluster })).toMatchObject({
      adapter: { executionStatus: "failed", executionError: { phase: "resources", step: "one" } },
    });
    expect(cluster.operations).toEqual([]);
  });

  test("a create gate only blocks an absent resource, and the others continue", async () => {
    const cluster = new MemoryTransport();
    const gated = resource("gated", { lifecycle: { create: { when: { expression: "cluster.n > 5" } } } });
    const report = await reported({ resources: [gated, resource("free")] }, { cluster });
    expect(report).toMatchObject({ adapter: { resourcesSkipped: true }, has: { free: {} } });
    expect(cluster.operations).toEqual(["created Thing/free"]);
    cluster.objects.set("Thing/gated", { kind: "Thing", metadata: { name: "gated" } });
    await reported({ resources: [gated] }, { cluster });
    expect(cluster.operations.at(-1)).toBe("updated Thing/gated");
  });

  test("a delete gate deletes an existing object with its policy, and ignores a missing one", async () => {
    const cluster = new MemoryTransport();
    const when = { expression: "has(cluster.deleted_time)" };
    const resources = [
      resource("a", { lifecycle: { delete: { when, propagationPolicy: "Foreground" } } }),
      resource("b", DELETED),
      resource("c", DELETED),
    ];
    await reported({ resources: resources.slice(0, 2) }, { cluster });
    const report = await reported({ resources }, { cluster, api: apiAt(3, DELETING) });
    expect(cluster.operations.slice(2)).toEqual(["deleted Thing/a Foreground", "deleted Thing/b Background"]);
    expect(report).toMatchObject({ has: {}, adapter: { executionStatus: "success" } });
  });

  test("a failed deletion does not block the others", async () => {
    const cluster = new MemoryTransport();
    const resources = [resource("a", DELETED), resource("b", DELETED)];
    await reported({ resources }, { cluster });
    cluster.failing.set("a", { at: "remove", isTransient: true });
    const api = apiAt(3, DELETING);
    const outcome = await run({ task: reporting({ resources }), cluster, api });
    expect(api.bodies("PUT", "/statuses")).toMatchObject([
      { adapter: { executionStatus: "failed", resourceErrors: { a: "remove of a failed" } }, has: { a: {} } },
    ]);
    expect(failures(outcome)).toEqual(["resources/a: remove of a failed"]);
    expect(cluster.operations.at(-1)).toBe("deleted Thing/b Background");
  });

  test("a resource that waits for another deletion is held, never recreated", async () => {
    const cluster = new MemoryTransport();
    const expression = "has(cluster.deleted_time) && !has(resources.stuck)";
    const resources = [
      resource("stuck", DELETED),
      resource("base", { lifecycle: { delete: { when: { expression } } } }),
    ];
    await reported({ resources }, { cluster });
    cluster.objects.delete("Thing/base");
    await reported({ resources }, { cluster, api: apiAt(3, DELETING) });
    expect(cluster.operations.slice(2)).toEqual(["deleted Thing/stuck Background"]);
    cluster.objects.clear();
    expect(await reported({ resources }, { cluster, api: apiAt(3, DELETING) })).toMatchObject({ has: {} });
  });

  test("a resource without a delete gate is still looked up, and does not count as deleted", async () => {
    const cluster = new MemoryTransport();
    await reported({ resources: [resource("a")] }, { cluster });
    const report = await reported({ resources: [resource("a")] }, { cluster, api: apiAt(3, DELETING) });
    expect(report).toMatchObject({ has: { a: {} } });
    expect(cluster.operations).toEqual(["created Thing/a"]);
  });

  test("a failed lookup ends the phase before any write: absence is never assumed", async () => {
    const cluster = new MemoryTransport();
    cluster.failing.set("b", { at: "find", isTransient: true });
    const report = await reported({ resources: [resource("a", DELETED), resource("b", DELETED)] }, { cluster });
    expect(report).toMatchObject({ adapter: { executionError: { step: "b", message: "find of b failed" } } });
    expect(cluster.operations).toEqual([]);
  });

  test("values cannot inject YAML", async () => {
    const cluster = new MemoryTransport();
    const name = 'x"\nspec:\n  evil: true #';
    const manifest = [
      "apiVersion: v1",
      "kind: Thing",
      "metadata:",
      '  name: "{{ .cluster.name }}"',
      "spec:",
      "  bare: {{ .cluster.name }}",
      "  number: {{ .cluster.n }}",
      '  text: "{{ .cluster.n }}"',
      "  {{ .cluster.status.phase }}: [{{ range .cluster.list }}{{ . }},{{ end }} x-{{ .cluster.n }}]",
    ].join("\n");
    const api = new ScriptedApi({ "GET /clusters/c1": { ...STATE, name }, "PUT /statuses": {} });
    await reported({ resources: [{ name: "thing", manifest, discovery: { by_name: "x" } }] }, { cluster, api });
    expect([...cluster.objects.values()]).toEqual([
      {
        apiVersion: "v1",
        kind: "Thing",
        metadata: { name },
        spec: { bare: name, number: 5, text: "5", up: ["a", "x-5"] },
      },
    ]);
  });
});

test("a manifest that is not valid YAML fails its resource", async () => {
  const broken = { name: "thing", manifest: "a: b: c", discovery: { by_name: "x" } };
  expect(await reported({ resources: [broken] })).toMatchObject({
    adapter: { executionError: { step: "thing", message: expect.stringContaining("not valid YAML") } },
  });
});

describe("resources of an HTTP API", () => {
  const http = (more: JsonObject = {}): JsonObject => ({
    name: "record",
    transport: {
      client: "http",
      http: {
        observe: { method: "GET", url: "http://dns.test/r" },
        apply: { method: "PUT", url: "http://dns.test/r", body: '{"ip":"1.2.3.4"}' },
        delete: { method: "DELETE", url: "http://dns.test/r" },
        in_progress: { expression: "response.state == 'pending'" },
      },
    },
    ...more,
  });

  function dns(
    answers: Record<string, JsonValue | readonly (JsonValue | number)[] | number>,
    more: JsonObject = {},
  ): ScriptedApi {
    return new ScriptedApi({ "GET /clusters/c1": { ...STATE, ...more }, "PUT /statuses": {}, ...answers });
  }

  test("are created by a request, and observed before and after it", async () => {
    const api = dns({ "GET http://dns.test/r": [404, { state: "pending" }], "PUT http://dns.test/r": {} });
    const report = await reported({ resources: [http()] }, { api });
    expect(report).toMatchObject({ has: { record: { state: "pending", inProgress: true } } });
    expect(api.bodies("PUT", "/r")).toEqual([{ ip: "1.2.3.4" }]);
  });

  test("get no second request while work is in progress", async () => {
    const api = dns({ "GET http://dns.test/r": { state: "pending" } });
    expect(await reported({ resources: [http()] }, { api })).toMatchObject({ has: { record: { inProgress: true } } });
    expect(api.bodies("PUT", "/r")).toEqual([]);
    // Without an in_progress rule, 202 means in progress.
    const accepted = dns({ "GET http://dns.test/r": 202 });
    const [observe, apply] = [
      { method: "GET", url: "http://dns.test/r" },
      { method: "PUT", url: "http://dns.test/r" },
    ];
    await reported(
      { resources: [http({ transport: { client: "http", http: { observe, apply } } })] },
      { api: accepted },
    );
    expect(accepted.bodies("PUT", "/r")).toEqual([]);
  });

  test("that the API does not know when they are created have failed: the fleet resource still exists", async () => {
    const api = dns({ "GET http://dns.test/r": 404, "PUT http://dns.test/r": 404 });
    expect(await reported({ resources: [http()] }, { api })).toMatchObject({
      adapter: { executionStatus: "failed", executionError: { phase: "resources", step: "record" } },
    });
  });

  test("are deleted by a request", async () => {
    const api = dns({ "GET http://dns.test/r": [{ state: "up" }, 404], "DELETE http://dns.test/r": {} }, DELETING);
    expect(await reported({ resources: [http(DELETED)] }, { api })).toMatchObject({ has: {} });
    expect(api.sent.map(({ method }) => method)).toContain("DELETE");
  });
});

describe("a secret never appears", () => {
  const env = { HOOK: "hunter2", ZONE: "rosebud" };

  test("in the error of a request or a report", async () => {
    const api = new ScriptedApi({
      "GET /clusters/c1": STATE,
      "GET http://hooks.test/hunter2": 500,
      "PUT /statuses": 500,
    });
    const preconditions = [{ name: "p", api_call: { method: "GET", url: "http://hooks.test/{{ .env.HOOK }}" } }];
    const outcome = await run({ task: reporting({ preconditions }), env, api });
    expect(failures(outcome)).toEqual([
      expect.stringContaining("GET http://hooks.test/***REDACTED***: 500"),
      expect.stringContaining("PUT http://fleet.test/api/hyperfleet/v1/statuses: 500"),
    ]);
    expect(JSON.stringify(api.bodies("PUT", "/statuses"))).not.toContain("hunter2");
  });

  test("in the skip reason", async () => {
    const condition = { field: "env.ZONE", operator: "equals", value: "eu" };
    const report = await reported({ preconditions: [{ name: "p", conditions: [condition] }] }, { env });
    expect(report).toMatchObject({ adapter: { skipReason: expect.stringContaining('(actual: "***REDACTED***")') } });
  });
});

describe("post", () => {
  const send = (name: string, body: string, more: JsonObject = {}): JsonObject => ({
    name,
    api_call: { method: "PUT", url: `/${name}`, body },
    ...more,
  });

  test("a payload whose gate is false is not built, and actions that use it are skipped", async () => {
    const api = new ScriptedApi({ "PUT /a": {}, "PUT /b": {} });
    const payloads = [
      {
        name: "yes",
        build: { g: { expression: "event.n" }, t: "{{ .event.id }}", d: { field: "event.none", default: 7 } },
      },
      { name: "no", when: { expression: "false" }, build: { x: 1 } },
    ];
    const post = { payloads, post_actions: [send("a", "{{ .yes }}"), send("b", "{{ .no }}")] };
    const outcome = await run({ task: { post }, api, event: { id: "c1", n: 12 } });
    expect(outcome.status).toBe("success");
    expect(api.sent.map(({ path, body }) => [path, body])).toEqual([
      ["/api/hyperfleet/v1/a", { g: 12, t: "c1", d: 7 }],
    ]);
    expect(outcome.trace["postActions"]).toMatchObject([{ status: "success" }, { status: "skipped" }]);
  });

  test("the first failure ends the phase, with status and body", async () => {
    const api = new ScriptedApi({ "PUT /a": 400, "PUT /b": {} });
    const outcome = await run({ task: { post: { post_actions: [send("a", "{}"), send("b", "{}")] } }, api });
    expect(failures(outcome)).toEqual([expect.stringMatching(/^post_actions\/a: PUT .*: 400: \{"code":"X"\}$/)]);
    expect(outcome.isRetryable).toBe(false);
    expect(api.sent).toHaveLength(1);
  });

  test("a report that cannot be sent is retried", async () => {
    const api = new ScriptedApi({ "PUT /a": 503 });
    const outcome = await run({ task: { post: { post_actions: [send("a", "{}")] } }, api });
    expect(outcome).toMatchObject({ status: "failed", isRetryable: true });
  });

  test("no report is needed if the API does not know the resource any more", async () => {
    const outcome = await run({ task: { post: { post_actions: [send("a", "{}")] } } });
    expect(outcome.status).toBe("success");
  });

  test("a gate with a mistake fails the phase", async () => {
    const post = { post_actions: [send("a", "{}", { when: { expression: "event.id + 1 == 2" } })] };
    expect(failures(await run({ task: { post } }))).toEqual([
      expect.stringContaining("post_actions/a: no such overload"),
    ]);
  });
});
