import { expect, test } from "vitest";
import { ApiHarness, CONFIGMAPS, configMap } from "./api.fixture.ts";

async function text(api: ApiHarness, path: string, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  const response = await api.fetch(new Request(`http://localhost${path}`, { headers }));
  return response.text();
}

test("responses are pretty-printed on request and for browsers and command-line tools", async () => {
  const api = new ApiHarness();
  await api.call("POST", CONFIGMAPS, configMap("a"));
  const path = `${CONFIGMAPS}/a`;
  expect(await text(api, path)).not.toContain("\n");
  expect(await text(api, `${path}?pretty=true`)).toContain('{\n  "apiVersion": "v1",\n');
  expect(await text(api, path, { "user-agent": "curl/8.0" })).toContain("\n  ");
  expect(await text(api, `${path}?pretty=0`, { "user-agent": "curl/8.0" })).not.toContain("\n");
  expect(await text(api, path, { accept: "application/json;pretty=1" })).toContain("\n  ");
});

test("integers of any size are written exactly, in JSON and YAML", async () => {
  const api = new ApiHarness();
  const path = "/apis/apps/v1/namespaces/default/controllerrevisions";
  await api.call(
    "POST",
    path,
    '{"metadata":{"name":"a"},"revision":9007199254740993,"data":{"big":1234567890123456789}}',
  );
  for (const headers of [{ accept: "application/yaml" }, { "user-agent": "curl/8" }]) {
    const shown = await text(api, `${path}/a`, headers);
    expect(shown).toMatch(/"?revision"?: 9007199254740993/u);
    expect(shown).toMatch(/"?big"?: 1234567890123456789/u);
  }
});

test("clients that prefer YAML get YAML, including errors", async () => {
  const api = new ApiHarness();
  await api.call("POST", CONFIGMAPS, configMap("a", { on: "yes" }));
  const accept = "application/json;q=0.5,application/yaml";
  const yaml = await text(api, `${CONFIGMAPS}/a`, { accept });
  expect(yaml).toMatch(/^apiVersion: v1\ndata:\n {2}'?on'?: /u);
  expect(await text(api, `${CONFIGMAPS}/b`, { accept })).toContain("reason: NotFound\n");
});
