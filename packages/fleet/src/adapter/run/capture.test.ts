import type { JsonObject, JsonValue } from "@levelset/core";
import { expect, test } from "vitest";
import { MemoryTransport, run, ScriptedApi } from "./run.fixture.ts";

const CALL = { method: "GET", url: "/clusters/c1" };

/** Runs a task that reports its variables, and returns the report. */
async function reported(part: JsonObject, cluster: MemoryTransport = new MemoryTransport()): Promise<JsonValue> {
  const api = new ScriptedApi({ "GET /clusters/c1": { id: "c1", name: "eu", list: ["a"] }, "PUT /statuses": {} });
  const payloads = [{ name: "payload", build: { adapter: { expression: "adapter" } } }];
  const send = { name: "send", api_call: { method: "PUT", url: "/statuses", body: "{{ .payload }}" } };
  await run({ task: { ...part, post: { payloads, post_actions: [send] } }, cluster, api });
  return api.bodies("PUT", "/statuses")[0] ?? "nothing";
}

test("an absent captured value is null and fails neither templates nor expressions nor conditions", async () => {
  const cluster = new MemoryTransport();
  const preconditions = [
    {
      name: "state",
      api_call: CALL,
      capture: [
        { name: "gone", field: "deleted_time" },
        { name: "none", field: "{.list[?(@.x=='y')].z}" },
        { name: "lost", expression: "nothing.at.all" },
      ],
    },
    { name: "nulls", log: { message: "{{ .gone }}" }, expression: "gone == null && none == null && lost == null" },
    { name: "fields", conditions: [{ field: "gone", operator: "notEquals", value: "x" }] },
  ];
  const data = { printed: "{{ .gone }}", shown: '{{ if .none }}yes{{ end }}{{ .lost | default "d" }}' };
  const manifest = { apiVersion: "v1", kind: "Thing", metadata: { name: "t" }, data };
  const resources = [{ name: "thing", manifest, discovery: { by_name: "t" } }];
  expect(await reported({ preconditions, resources }, cluster)).toMatchObject({
    adapter: { executionStatus: "success", resourcesSkipped: false },
  });
  expect(cluster.objects.get("Thing/t")).toMatchObject({ data: { printed: "<no value>", shown: "d" } });
});

test.each([
  ["is computed with", "gone.startsWith('x')"],
  ["is selected from", "gone.a.b == 1"],
  ["is iterated over", "gone.exists(c, c == 1)"],
])("an expression in which a null capture %s is false, without a failure", async (_, expression) => {
  const preconditions = [{ name: "p", api_call: CALL, capture: [{ name: "gone", field: "none" }], expression }];
  expect(await reported({ preconditions })).toMatchObject({
    adapter: { executionStatus: "success", resourcesSkipped: true },
  });
});

test("an expression with a mistake next to a null capture still fails the phase", async () => {
  const capture = [{ name: "gone", field: "none" }];
  const preconditions = [{ name: "p", api_call: CALL, capture, expression: "p.name + 1 == 2" }];
  expect(await reported({ preconditions })).toMatchObject({ adapter: { executionError: { step: "p" } } });
});

test("a log line that cannot be rendered does not fail the run", async () => {
  const preconditions = [
    { name: "state", api_call: CALL },
    { name: "p", log: { message: "{{ .state.none }}" }, expression: "true" },
  ];
  expect(await reported({ preconditions })).toMatchObject({
    adapter: { executionStatus: "success", resourcesSkipped: false },
  });
});
