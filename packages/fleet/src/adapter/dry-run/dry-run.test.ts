import { realRandom, silentLogger } from "@levelset/core";
import type { JsonObject, JsonValue } from "@levelset/core";
import { VirtualClock } from "@levelset/core/testing";
import { describe, expect, test } from "vitest";
import { ExpressionCompiler } from "../expression/index.ts";
import type { TaskOutcome } from "../run/index.ts";
import { taskFilesIn, readTask } from "../task/index.ts";
import { parseYaml } from "../yaml.ts";
import { dryRun, dryRunText } from "./index.ts";

const DELETE = { delete: { when: { expression: "has(cluster.deleted_time)" } } };

function thing(name: string, client: string, more: JsonObject = {}): JsonObject {
  const transport = client === "maestro" ? { client, maestro: { target_cluster: "east" } } : { client };
  const manifest = { apiVersion: "v1", kind: "Thing", metadata: { name: `${name}-{{ .id }}` } };
  return { name, transport, manifest, discovery: { by_name: `${name}-{{ .id }}` }, lifecycle: DELETE, ...more };
}

const TASK: JsonObject = {
  params: [
    { name: "id", source: "event.id" },
    { name: "token", source: "env.TOKEN" },
    { name: "cluster", source: { api_call: { method: "GET", url: "/clusters/{{ .id }}?full=1" } } },
  ],
  resources: [thing("near", "kubernetes"), thing("far", "maestro")],
  post: {
    payloads: [{ name: "report", build: { state: { expression: "resources.?near.?status.?phase.orValue('none')" } } }],
    post_actions: [
      { name: "send", api_call: { method: "PUT", url: "/s", body: '{"r": {{ .report }}, "t": "{{ .token }}"}' } },
    ],
  },
};

const EVENT = { specversion: "1.0", id: "1", source: "test", type: "pulse", data: { id: "c1" } };

async function run(
  responses: JsonValue,
  discovery?: JsonValue,
  event: JsonValue = EVENT,
  content: JsonObject = TASK,
): Promise<TaskOutcome> {
  const clock = new VirtualClock(0);
  const compiler = new ExpressionCompiler(() => clock.now());
  const task = readTask({ file: "t", content, files: taskFilesIn("/", () => ""), parseYaml, compiler });
  return dryRun({
    task,
    adapter: { name: "dry", version: "1" },
    config: {},
    event: new TextEncoder().encode(JSON.stringify(event)),
    apiResponses: { path: "api.json", content: responses },
    discovery: discovery === undefined ? undefined : { path: "objects.json", content: discovery },
    env: { TOKEN: "top-secret" },
    readFile: async () => "",
    clock,
    random: realRandom,
    logger: silentLogger,
    signal: new AbortController().signal,
  });
}

function api(...bodies: readonly JsonValue[]): JsonObject {
  const responses = bodies.map((body) => ({ statusCode: 200, body }));
  return {
    responses: [{ match: { method: "GET", urlPattern: "^/api/.*/clusters/c1\\?full=1$" }, responses }],
  };
}

test("a dry run has no side effects, and its trace contains every step and no secrets", async () => {
  const { status, trace } = await run(api({ id: "c1" }), {
    "near-c1": { kind: "Thing", metadata: { name: "near-c1" }, status: { phase: "Up" } },
  });
  expect(status).toBe("success");
  expect(Object.keys(trace)).toEqual([
    "event",
    "status",
    "params",
    "preconditions",
    "resources",
    "discoveredResources",
    "postActions",
    "errors",
    "apiRequests",
    "transportOperations",
  ]);
  expect(trace["transportOperations"]).toEqual([
    { resource: "near", operation: "find", result: "found" },
    { resource: "far", operation: "find", result: "absent" },
    { resource: "near", operation: "apply", result: "unchanged" },
    { resource: "far", operation: "apply", result: "created" },
  ]);
  expect(trace["apiRequests"]).toMatchObject([
    { method: "GET", status: 200 },
    { method: "PUT", status: 200, body: '{"r": {"state":"Up"}, "t": "***REDACTED***"}' },
  ]);
  expect(JSON.stringify(trace)).not.toContain("top-secret");
});

test("values of Secrets are never in the trace, including Secrets nested in another object", async () => {
  const secret = { kind: "Secret", metadata: { name: "s" }, data: { a: "c2VjcmV0" }, stringData: { b: "in-clear" } };
  const { trace } = await run(api({ id: "c1" }), {
    "near-c1": { ...secret, metadata: { name: "near-c1" } },
    "far-c1": { kind: "Thing", metadata: { name: "far-c1" }, spec: { workload: { manifests: [secret] } } },
  });
  expect(trace["discoveredResources"]).toMatchObject({
    near: { data: "***REDACTED***" },
    far: { spec: { workload: { manifests: [{ kind: "Secret", data: "***REDACTED***" }] } } },
  });
  expect(JSON.stringify(trace)).not.toMatch(/c2VjcmV0|in-clear/);
});

test("the manifest that kubectl stores in an annotation of a Secret is not in the trace", async () => {
  const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "near-c1" }, data: { a: "c2VjcmV0" } };
  const annotations = { "kubectl.kubernetes.io/last-applied-configuration": JSON.stringify(secret) };
  const { trace } = await run(api({ id: "c1" }), {
    "near-c1": { ...secret, metadata: { name: "near-c1", annotations } },
  });
  expect(trace["discoveredResources"]).toMatchObject({ near: { metadata: { name: "near-c1" } } });
  expect(JSON.stringify(trace)).not.toContain("c2VjcmV0");
});

test("a deletion removes the object at once in Kubernetes and sets a deletionTimestamp in Maestro", async () => {
  const objects = {
    "near-c1": { kind: "Thing", metadata: { name: "near-c1" } },
    "far-c1": { kind: "Thing", metadata: { name: "far-c1" } },
  };
  const { trace } = await run(api({ id: "c1", deleted_time: "2027-01-15T08:00:00Z" }), objects);
  expect(trace["discoveredResources"]).toMatchObject({
    far: { metadata: { deletionTimestamp: "1970-01-01T00:00:00Z" } },
  });
  expect(trace["discoveredResources"]).not.toHaveProperty("near");
});

test("an object with the labels of another owner is neither applied nor deleted", async () => {
  const foreign = {
    labels: { "fleet.levelset.dev/adapter": "dry" },
    annotations: { "fleet.levelset.dev/resource": "c9" },
  };
  const objects = { "near-c1": { kind: "Thing", metadata: { name: "near-c1", ...foreign } } };
  const applied = await run(api({ id: "c1" }), objects);
  const message = expect.stringContaining("NotOurs: Thing near-c1 belongs to resource c9 of adapter dry") as string;
  expect(applied).toMatchObject({ status: "failed", errors: [{ phase: "resources", step: "near", message }] });
  const deleted = await run(api({ id: "c1", deleted_time: "2027-01-15T08:00:00Z" }), objects);
  expect(deleted.status).toBe("success");
  expect(deleted.trace["transportOperations"]).toEqual([
    { resource: "near", operation: "find", result: "not ours: Thing near-c1" },
    { resource: "far", operation: "find", result: "absent" },
  ]);
});

test("scripted responses are returned in order, the last one repeatedly, and 200 where no rule matches", async () => {
  const refusing = {
    responses: [{ match: { method: "*" }, responses: [{ body: { id: "c1" } }, { statusCode: 400 }] }],
  };
  const outcome = await run(refusing);
  expect(outcome).toMatchObject({ status: "failed", errors: [{ phase: "post_actions", step: "send" }] });
  expect((await run({ responses: [] })).status).toBe("success");
});

test("work with a fresh report is shown as skipped, with the failed precondition", async () => {
  const expression = "!isFresh(statuses, cluster, duration('30m'))";
  const preconditions = [
    { name: "statuses", api_call: { method: "GET", url: "/clusters/{{ .id }}/statuses" }, expression },
  ];
  const response = (urlPattern: string, body: JsonValue): JsonObject => ({
    match: { method: "GET", urlPattern },
    responses: [{ statusCode: 200, body }],
  });
  const reported = (generation: number): JsonObject => ({
    items: [
      {
        adapter: "dry",
        observed_generation: generation,
        last_report_time: "1970-01-01T00:00:00Z",
        conditions: [{ type: "Available", status: "True" }],
      },
    ],
  });
  const at = (generation: number): Promise<TaskOutcome> => {
    const responses = [response("/statuses$", reported(generation)), response("full=1$", { id: "c1", generation: 2 })];
    return run({ responses }, undefined, EVENT, { ...TASK, preconditions });
  };
  const text = dryRunText(await at(2), false).split("\n");
  expect(text[0]).toBe(`skipped: precondition 'statuses' not met: ${expression} is false`);
  expect(text).toContain(`  statuses: not_met (${expression} is false)`);
  expect(text).not.toContain("Operations");
  expect(dryRunText(await at(1), false)).toContain("apply near: created");
});

test("the text output names every step", async () => {
  const outcome = await run(api({ id: "c1" }));
  const text = dryRunText(outcome, false);
  for (const line of [
    "success",
    "  id: success",
    "  near: success (applied)",
    "  apply far: created",
    "  send: success",
  ]) {
    expect(text.split("\n")).toContain(line);
  }
  expect(text).not.toContain('{"r"');
  expect(dryRunText(outcome, true)).toContain('{"r"');
});

describe("an invalid input file is reported with its location", () => {
  test.each<[JsonValue, JsonValue | undefined, JsonValue, string]>([
    [[], undefined, EVENT, "api.json: responses: must be a list"],
    [{ responses: [{}] }, undefined, EVENT, "api.json: responses[0].match: must be a mapping"],
    [
      { responses: [{ match: {}, responses: [] }] },
      undefined,
      EVENT,
      "responses[0].responses: must be a list of at least one",
    ],
    [
      { responses: [{ match: { urlPattern: "(" }, responses: [{}] }] },
      undefined,
      EVENT,
      "responses[0].match.urlPattern",
    ],
    [{ responses: [] }, [], EVENT, "objects.json: must be a mapping"],
    [{ responses: [] }, { a: 1 }, EVENT, "objects.json: a: must be an object"],
    [{ responses: [] }, undefined, { ...EVENT, data: {} }, "data.id must name the resource"],
    [{ responses: [] }, undefined, {}, "specversion"],
  ])("%j %j %j", async (responses, discovery, event, message) => {
    await expect(run(responses, discovery, event)).rejects.toThrow(message);
  });
});
