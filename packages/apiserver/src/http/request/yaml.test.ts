import { expect, test } from "vitest";
import { ApiHarness, CONFIGMAPS } from "../api.fixture.ts";

const YAML = { type: "application/yaml" };

test("an object may be sent in YAML", async () => {
  const api = new ApiHarness();
  const { code, body } = await api.call("POST", CONFIGMAPS, "metadata:\n  name: a\ndata:\n  x: 'yes'\n", YAML);
  expect([code, body.data]).toEqual([201, { x: "yes" }]);
});

test.each([
  ["does not end", "metadata: {name: a}\ndata: &a {x: *a}"],
  [
    "is far larger than its text",
    `a0: &a0 [x, x, x, x, x, x, x, x, x]\n${Array.from({ length: 9 }, (_, n) => `a${n + 1}: &a${n + 1} [${Array(9).fill(`*a${n}`).join(", ")}]`).join("\n")}`,
  ],
])("YAML whose aliases make something that %s is rejected", async (_what, text) => {
  const api = new ApiHarness();
  const { code, body } = await api.call("POST", CONFIGMAPS, text, YAML);
  expect([code, body.reason]).toEqual([400, "BadRequest"]);
  expect(body.message).toContain("excessive aliasing");
  expect(api.logs).toEqual([]);
});

test("a YAML response keeps integers beyond 2^53", async () => {
  const api = new ApiHarness();
  const revisions = "/apis/apps/v1/namespaces/default/controllerrevisions";
  const revision = '{"metadata":{"name":"a"},"revision":9007199254740993,"data":{"n":9007199254740993}}';
  expect((await api.call("POST", revisions, revision)).code).toBe(201);
  const { body } = await api.call("GET", `${revisions}/a`, undefined, { accept: "application/yaml" });
  expect(body["text"]).toContain("revision: 9007199254740993\n");
});
