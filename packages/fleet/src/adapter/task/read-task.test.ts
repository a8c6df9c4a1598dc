import type { JsonObject, JsonValue } from "@levelset/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ExpressionCompiler } from "../expression/index.ts";
import { taskFilesIn, TaskConfigError, readTask } from "./index.ts";
import type { AdapterTask } from "./index.ts";

const FILES: Readonly<Record<string, string>> = {
  "/etc/a/job.yaml": "kind: Job\nmetadata: { name: '{{ .clusterId }}' }",
  "/etc/a/broken.yaml": "{",
  "/etc/a/report.json": '{ "adapter": "{{ .adapter.name }}", "n": { "expression": "generation" } }',
};

function readText(path: string): string {
  const text = FILES[path];
  if (text === undefined) throw new Error("no such file");
  return text;
}

function read(content: JsonValue): AdapterTask {
  const parseYaml = (text: string): JsonValue => JSON.parse(text) as JsonValue;
  const compiler = new ExpressionCompiler(() => 0);
  return readTask({ file: "task.yaml", content, files: taskFilesIn("/etc/a", readText), parseYaml, compiler });
}

function problems(content: JsonValue): readonly string[] {
  try {
    read(content);
    return [];
  } catch (error) {
    if (error instanceof TaskConfigError) return error.problems;
    throw error;
  }
}

const PARAMS = [
  { name: "clusterId", source: "event.id", type: "string", required: true },
  { name: "token", source: "env.TOKEN", default: "none" },
  { name: "cluster", source: { api_call: { method: "GET", url: "/clusters/{{ .clusterId }}", timeout: "10s" } } },
  { name: "generation", source: "cluster.generation" },
  { name: "region", source: "owner_references.id" },
  { name: "is_deleting", source: { expression: "cluster.?deleted_time.hasValue()" } },
  { name: "ca", source: { file: { path: "/ca.pem" } } },
];

const NAMESPACE = {
  name: "space",
  manifest: { kind: "Namespace", metadata: { name: "{{ .clusterId }}", annotations: { g: "{{ .generation }}" } } },
  discovery: { by_name: "{{ .clusterId }}" },
};

/** Returns a task with one part changed. */
function task(part: JsonObject): JsonObject {
  return { params: PARAMS, ...part };
}

test("a task with every feature is read", () => {
  const found = read(
    task({
      preconditions: [
        {
          name: "state",
          api_call: { method: "GET", url: "/x" },
          capture: [
            { name: "phase", field: "status.phase", default: "none" },
            { name: "names", expression: "items.map(i, i.name)" },
          ],
          conditions: [{ field: "phase", operator: "in", values: ["a", "b"] }],
        },
        { name: "later", expression: "phase == 'a' && size(names) > 0" },
      ],
      resources: [
        { ...NAMESPACE, lifecycle: { delete: { when: { expression: "is_deleting" } } } },
        {
          name: "job",
          manifest: { ref: "/etc/a/job.yaml" },
          discovery: { namespace: "x", by_selectors: { label_selector: { a: "{{ .clusterId }}" } } },
          nested_discoveries: [{ name: "inner", discovery: { by_name: "x" } }],
          lifecycle: { create: { when: { expression: "has(resources.space)" } } },
        },
        {
          name: "record",
          transport: {
            client: "http",
            http: {
              observe: { method: "GET", url: "https://dns.test/{{ .clusterId }}" },
              apply: { method: "PUT", url: "https://dns.test/{{ .clusterId }}", body: "{}" },
              in_progress: { expression: "response.state == 'pending'" },
            },
          },
        },
      ],
      post: {
        payloads: [
          {
            name: "report",
            when: { expression: "!adapter.resourcesSkipped" },
            build: { a: [{ field: "cluster.name" }] },
          },
          { name: "other", build_ref: "report.json" },
        ],
        post_actions: [{ name: "send", api_call: { method: "PUT", url: "/x", body: "{{ .report }}{{ .other }}" } }],
      },
    }),
  );
  expect(found.params.map(({ source }) => source)).toMatchObject([
    { kind: "path", path: ["event", "id"] },
    { kind: "env", variable: "TOKEN" },
    { kind: "api_call", call: { timeoutMs: 10_000 } },
    { kind: "path", path: ["cluster", "generation"] },
    { kind: "path", path: ["event", "owner_references", "id"] },
    { kind: "expression" },
    { kind: "file", isTrimmed: true },
  ]);
  expect(found.preconditions).toHaveLength(2);
  expect(found.resources.map(({ transport, manifest }) => [transport.kind, manifest.kind])).toEqual([
    ["kubernetes", "tree"],
    ["kubernetes", "text"],
    ["http", "tree"],
  ]);
  expect(found.resources[0]?.delete?.policy).toBe("Background");
  expect(found.payloads.map(({ build }) => build.kind)).toEqual(["map", "map"]);
});

const HTTP = {
  name: "record",
  transport: {
    client: "http",
    http: { observe: { method: "GET", url: "/r" }, apply: { method: "PUT", url: "/r" } },
  },
};

describe("every mistake is reported with its location", () => {
  test.each<[JsonObject, unknown]>([
    [{ parms: [] }, "parms: unknown key; allowed: params, post, preconditions, resources"],
    [{ params: {} }, "params: must be a list"],
    [{ params: [{ name: "a" }] }, "params[0].source: is missing"],
    [{ params: [{ name: "env", source: "x" }] }, "params[0].name: env is a reserved name"],
    [
      task({ preconditions: [{ name: "event", api_call: { method: "GET", url: "/x" } }] }),
      "preconditions[0].name: event is a reserved name",
    ],
    [
      task({
        preconditions: [
          { name: "p", api_call: { method: "GET", url: "/x" }, capture: [{ name: "adapter", field: "a" }] },
        ],
      }),
      "preconditions[0].capture[0].name: adapter is a reserved name",
    ],
    [
      task({ post: { payloads: [{ name: "resources", build: {} }] } }),
      "post.payloads[0].name: resources is a reserved name",
    ],
    [
      task({ resources: [{ ...HTTP, lifecycle: { delete: { when: { expression: "is_deleting" } } } }] }),
      "resources[0].transport.http.delete: is missing: lifecycle.delete needs it",
    ],
    [
      task({ resources: [{ ...HTTP, lifecycle: { recreate: { when: { expression: "true" } } } }] }),
      "resources[0].lifecycle.recreate: is not supported for http",
    ],
    [
      task({ resources: [{ ...HTTP, recreate_on_change: true }] }),
      "resources[0].recreate_on_change: is not supported for http",
    ],
    [task({ resources: [{ ...HTTP, manifest: {} }] }), "resources[0].manifest: is not supported for http"],
    [task({ resources: [{ ...HTTP, adopt: true }] }), "resources[0].adopt: is not supported for http"],
    [
      task({ resources: [{ ...HTTP, in_progress: { expression: "false" } }] }),
      "resources[0].in_progress: is not supported for http: use transport.http.in_progress",
    ],
    [
      task({ resources: [HTTP, { ...NAMESPACE, manifest: { kind: "{{ .response }}" } }] }),
      "resources[1].manifest.kind: the template uses the undefined variable .response",
    ],
    [{ params: [{ name: "a b", source: "x" }] }, "params[0].name: must be an identifier of letters, digits and _"],
    [{ params: [{ name: "event", source: "x" }] }, "params[0].name: event is a reserved name"],
    [{ params: [{ name: "a", source: "env.A.B" }] }, "params[0].source: must name one variable: env.NAME"],
    [
      {
        params: [
          { name: "a", source: { expression: "later" } },
          { name: "later", source: "x" },
        ],
      },
      "params[0].source.expression: 1:1: undeclared reference to 'later' (in container '')",
    ],
    [
      { params: [{ name: "a", source: { expression: "1", file: { path: "x" } } }] },
      "params[0].source: has both expression and file",
    ],
    [
      { params: [{ name: "a", source: "x", type: "date" }] },
      "params[0].type: must be one of string, int, int64, float, float64, bool",
    ],
    [
      { params: [{ name: "a", source: { api_call: { method: "LOOK", url: "{{ .b }}" } } }] },
      "params[0].source.api_call.url: the template uses the undefined variable .b",
    ],
    [task({ preconditions: [{ name: "p" }] }), "preconditions[0]: needs an api_call, an expression or conditions"],
    [
      task({ preconditions: [{ name: "p", conditions: [{ field: "nope.x", operator: "exists" }] }] }),
      "preconditions[0].conditions[0].field: starts with the undefined variable nope",
    ],
    [
      task({ preconditions: [{ name: "p", conditions: [{ field: "cluster", operator: "in", value: 1 }] }] }),
      "preconditions[0].conditions[0].value: must be a list",
    ],
    [task({ resources: [{ name: "a", manifest: {} }] }), "resources[0].discovery: is missing"],
    [task({ resources: [NAMESPACE, NAMESPACE] }), "resources[1].name: duplicate name space"],
    [
      task({ resources: [{ ...NAMESPACE, lifecycle: { delete: { propagationPolicy: "Gone" } } }] }),
      "resources[0].lifecycle.delete.when: is missing",
    ],
    [
      task({ resources: [{ ...NAMESPACE, manifest: { ref: "../secret" } }] }),
      "resources[0].manifest.ref: ../secret is outside the configuration directory",
    ],
    [
      task({ resources: [{ ...NAMESPACE, manifest: { ref: "none.yaml" } }] }),
      "resources[0].manifest.ref: none.yaml cannot be read: no such file",
    ],
    [
      task({ resources: [{ ...NAMESPACE, manifest: { a: ["{{ if }}"] } }] }),
      "resources[0].manifest.a[0]: line 1 of the template: a command is missing",
    ],
    [
      task({ resources: [{ ...NAMESPACE, transport: { client: "maestro" } }] }),
      "resources[0].transport.maestro.target_cluster: is missing",
    ],
    [
      task({ post: { payloads: [{ name: "p", build: {}, build_ref: "x" }] } }),
      "post.payloads[0]: has both build and build_ref",
    ],
    [
      task({ post: { payloads: [{ name: "p", build_ref: "broken.yaml" }] } }),
      expect.stringContaining("post.payloads[0].build_ref: is not valid YAML: "),
    ],
    [
      task({ post: { payloads: [{ name: "p", build: { a: { expression: "nope" } } }] } }),
      "post.payloads[0].build.a.expression: 1:1: undeclared reference to 'nope' (in container '')",
    ],
    [
      task({ post: { post_actions: [{ name: "p", api_call: { method: "PUT", url: "/x", body: "{{ .later }}" } }] } }),
      "post.post_actions[0].api_call.body: the template uses the undefined variable .later",
    ],
  ])("%#: %j", (content, message) => {
    const expected = typeof message === "string" ? `task.yaml: ${message}` : message;
    expect(problems(content)).toEqual(expect.arrayContaining([expected]));
  });

  test("any data is either a task or rejected", () => {
    const words = [
      "params",
      "name",
      "source",
      "expression",
      "api_call",
      "url",
      "resources",
      "manifest",
      "discovery",
      "post",
    ];
    const key = fc.oneof(
      fc.constantFrom(...words, "payloads", "build", "when", "lifecycle", "delete"),
      fc.string({ maxLength: 4 }),
    );
    const { tree } = fc.letrec<{ tree: JsonValue }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 5 },
        fc.constantFrom<JsonValue>("event.id", "{{ .x }}", "{{", "a +", "", 0, true, null),
        fc.array(tie("tree"), { maxLength: 3 }),
        fc.dictionary(key, tie("tree"), { maxKeys: 5 }),
      ),
    }));
    fc.assert(
      fc.property(tree, (content) => {
        const found = problems(content);
        for (const problem of found) expect(problem.startsWith("task.yaml: ")).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  test("all at once", () => {
    expect(problems({ params: [{ name: "" }], resources: [{}], unheard: 1 }).length).toBeGreaterThan(3);
  });
});
