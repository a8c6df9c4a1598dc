import type { JsonObject, JsonValue } from "@levelset/core";
import { describe, expect, test } from "vitest";
import { run, ScriptedApi } from "./run.fixture.ts";
import type { TaskOutcome } from "./run-task.ts";

/** Returns the resolved params of a run, without the built-in variables. */
async function params(list: JsonValue, more: Omit<Parameters<typeof run>[0], "task"> = {}): Promise<JsonObject> {
  const { trace } = await run({ task: { params: list }, ...more });
  const { adapter: _adapter, resources: _resources, ...values } = (trace["params"] as { values: JsonObject }).values;
  return values;
}

function failures({ errors }: TaskOutcome): readonly string[] {
  return errors.map(({ phase, step, message }) => `${phase}/${step}: ${message}`);
}

describe("params", () => {
  test("come from the event, earlier params, the environment and files", async () => {
    const list = [
      { name: "owner", source: "event.owner_references.id" },
      { name: "bare", source: "kind" },
      { name: "again", source: "owner" },
      { name: "region", source: "env.REGION" },
      { name: "absent", source: "env.ABSENT", default: "none" },
      { name: "empty", source: "env.EMPTY", default: "none" },
      { name: "motto", source: { file: { path: "/motto" } } },
      { name: "raw", source: { file: { path: "/motto", trim: false } } },
      { name: "gone", source: { file: { path: "/gone" } } },
      { name: "sum", source: { expression: "owner + '-' + bare" } },
      { name: "unset", source: { expression: "event.nothing.there" } },
    ];
    const event = { kind: "NodePool", owner_references: { id: "c9" } };
    const found = await params(list, { event, env: { REGION: "eu", EMPTY: "" }, files: { "/motto": " a\n" } });
    expect(found).toEqual({
      owner: "c9",
      bare: "NodePool",
      again: "c9",
      region: "eu",
      absent: "none",
      empty: "none",
      motto: "a",
      raw: " a\n",
      sum: "c9-NodePool",
    });
  });

  test.each<[string, string, JsonValue]>([
    ["42", "int", 42],
    ["3.9", "int", 3],
    ["3.9", "float", 3.9],
    ["yes", "bool", true],
    ["off", "bool", false],
    ["x", "int", "dflt"],
    ["1e400", "int", "dflt"],
    ["1e400", "float", "dflt"],
    ["maybe", "bool", "dflt"],
    ["7", "string", "7"],
  ])("%s as %s is %j", async (text, type, expected) => {
    expect(await params([{ name: "p", source: "event.x", type, default: "dflt" }], { event: { x: text } })).toEqual({
      p: expected,
    });
  });

  test("an API response is a param, and a path into it is another", async () => {
    const api = new ScriptedApi({ "GET /clusters/c1?x=1": { name: "eu", generation: 3 } });
    const list = [
      { name: "id", source: "event.id" },
      { name: "cluster", source: { api_call: { method: "GET", url: "/clusters/{{ .id }}?x=1" } } },
      { name: "name", source: "cluster.name" },
      { name: "next", source: { expression: "cluster.generation + 1" } },
    ];
    expect(await params(list, { api })).toMatchObject({ name: "eu", next: 4 });
    expect(api.sent).toMatchObject([{ path: "/api/hyperfleet/v1/clusters/c1?x=1", authorization: "Bearer the-token" }]);
  });

  test("a number that is not an integer stays unchanged in templates, whatever its declared type", async () => {
    const api = new ScriptedApi({ "PUT /2.5": {} });
    const list = [{ name: "half", source: { expression: "5.0 / 2.0" }, type: "int" }];
    const post = { post_actions: [{ name: "send", api_call: { method: "PUT", url: "/{{ .half }}" } }] };
    expect(await run({ task: { params: list, post }, api })).toMatchObject({ status: "success" });
    expect(api.sent).toHaveLength(1);
  });

  test("an empty response is no value", async () => {
    const api = new ScriptedApi({ "GET /x": null });
    const call = { api_call: { method: "GET", url: "/x" } };
    expect(await params([{ name: "p", source: call, default: "none" }], { api })).toEqual({ p: "none" });
    const outcome = await run({ task: { params: [{ name: "p", source: call, required: true }] }, api });
    expect(failures(outcome)).toEqual(["params/p: required param p: no value"]);
  });

  test.each<[JsonObject, string]>([
    [{ source: "event.none", required: true }, "required param p: no value"],
    [{ source: "event.id", type: "int", required: true }, "required param p: the value is not of type int"],
    [{ source: { file: { path: "/none" } }, required: true }, "param p: /none: no such file"],
    [{ source: { expression: "event.id + 1" } }, "param p: no such overload"],
  ])("%j fails the run without a report", async (param, message) => {
    const api = new ScriptedApi({});
    const post = { post_actions: [{ name: "send", api_call: { method: "PUT", url: "/x", body: "{}" } }] };
    const outcome = await run({ task: { params: [{ name: "p", ...param }], post }, api });
    expect(failures(outcome)).toEqual([expect.stringContaining(`params/p: ${message}`)]);
    expect(outcome).toMatchObject({ status: "failed", isRetryable: false });
    expect(api.sent).toEqual([]);
  });

  test("an unavailable API is retried, then the pulse is redelivered", async () => {
    const api = new ScriptedApi({ "GET /x": 503 });
    const task = { params: [{ name: "p", source: { api_call: { method: "GET", url: "/x" } } }] };
    expect(await run({ task, api })).toMatchObject({ status: "failed", isRetryable: true });
    expect(api.sent).toHaveLength(3);
  });

  test("a resource unknown to the fleet API is skipped; a 404 from another API is a failure", async () => {
    const task = (url: string): JsonObject => ({
      params: [{ name: "p", source: { api_call: { method: "GET", url } } }],
    });
    expect(await run({ task: task("/gone") })).toMatchObject({ status: "skipped", errors: [] });
    expect(failures(await run({ task: task("http://elsewhere.test/x") }))).toEqual([
      expect.stringContaining("params/p: GET http://elsewhere.test/x: 404"),
    ]);
  });

  test("the token and the default headers of the fleet API are sent to no other host", async () => {
    const api = new ScriptedApi({ "GET http://elsewhere.test/x": { ok: true }, "GET /x": {} });
    const get = (url: string): JsonObject => ({ api_call: { method: "GET", url } });
    const list = [
      { name: "p", source: get("http://elsewhere.test/x") },
      { name: "q", source: get("/x") },
    ];
    await params(list, { api });
    expect(api.sent).toMatchObject([
      { path: "http://elsewhere.test/x", authorization: null, gateway: null },
      { path: "/api/hyperfleet/v1/x", authorization: "Bearer the-token", gateway: "let me in" },
    ]);
  });

  test("values from the environment are never in the trace", async () => {
    const api = new ScriptedApi({ "GET /x": {} });
    const list = [
      { name: "pw", source: "env.PW" },
      { name: "x", source: { api_call: { method: "GET", url: "/x", body: undefined, headers: [] } } },
      { name: "copy", source: { expression: "'a' + pw" } },
    ];
    const { trace } = await run({
      task: { params: list.map((one) => one) } as JsonObject,
      api,
      env: { PW: "hunter2" },
    });
    expect(JSON.stringify(trace)).not.toContain("hunter2");
  });

  test("environment values used directly in a template and multi-line files in a payload are never in the trace", async () => {
    const api = new ScriptedApi({ "PUT /x": {} });
    const task = {
      params: [{ name: "key", source: { file: { path: "/key" } } }],
      post: {
        payloads: [{ name: "payload", build: { key: "{{ .key }}", pin: "{{ .env.PIN }}" } }],
        post_actions: [{ name: "send", api_call: { method: "PUT", url: "/x", body: "{{ .payload }}" } }],
      },
    };
    const { trace } = await run({ task, api, env: { PIN: "hunter2" }, files: { "/key": 'BEGIN\n"rosebud"\nEND' } });
    expect(api.bodies("PUT", "/x")).toEqual([{ key: 'BEGIN\n"rosebud"\nEND', pin: "hunter2" }]);
    expect(JSON.stringify(trace)).not.toMatch(/hunter2|rosebud/);
  });
});
