import { CLUSTER_ORIGIN, parseJson } from "@levelset/core/internal";
import { describe, expect, test } from "vitest";
import { data, entry, envelope } from "../protobuf/encoder.fixture.ts";
import { ApiHarness, apiWithSimple, CONFIGMAPS, configMap, simple, SIMPLES } from "./api.fixture.ts";
import type { TestObject } from "./api.fixture.ts";

const ROLES = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
const PROTOBUF = "application/vnd.kubernetes.protobuf";

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly type?: string;
  readonly body?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The status code of the response and the fields it names. */
async function fields(
  api: ApiHarness,
  { method, path, type = "application/json", body, headers }: Sent,
): Promise<unknown> {
  const sent = body === undefined ? {} : { body: typeof body === "string" ? body : Uint8Array.from(body) };
  const request = new Request(CLUSTER_ORIGIN + path, {
    method,
    headers: { "content-type": type, ...headers },
    ...sent,
  });
  const response = await api.fetch(request);
  const text = await response.text();
  expect([method, path, text]).toEqual([method, path, expect.stringMatching(/^\{"kind":"Status"/u)]);
  const { reason, details } = parseJson(text) as unknown as TestObject & { details?: { causes?: { field: string }[] } };
  return [response.status, reason, ...(details?.causes ?? []).map(({ field }) => field)];
}

function role(name: string): string {
  return `{"metadata":{"name":"${name}"}}`;
}

describe("a body with ill-formed text is rejected with the path of the field", () => {
  test.each<[string, Sent, string]>([
    ["a lone surrogate in a name", { method: "POST", path: ROLES, body: role(String.raw`a\ud800b`) }, "metadata.name"],
    ["U+0000 in a name", { method: "POST", path: ROLES, body: role(String.raw`a\u0000b`) }, "metadata.name"],
    [
      "a byte that is not UTF-8",
      { method: "POST", path: ROLES, body: Buffer.from(role("a\xff"), "latin1") },
      "metadata.name",
    ],
    [
      "a surrogate as bytes",
      { method: "POST", path: ROLES, body: Buffer.from(role("a\xed\xa0\x80"), "latin1") },
      "metadata.name",
    ],
    [
      "U+0000 in a value",
      { method: "POST", path: CONFIGMAPS, body: String.raw`{"metadata":{"name":"a"},"data":{"k":"\u0000"}}` },
      "data.k",
    ],
    [
      "a lone surrogate in a key",
      { method: "POST", path: CONFIGMAPS, body: String.raw`{"metadata":{"name":"a","labels":{"\udc00":"v"}}}` },
      String.raw`metadata.labels.\udc00`,
    ],
    [
      "a list of an object of a declared kind",
      { method: "POST", path: SIMPLES, body: JSON.stringify(simple("a", {}, { finalizers: ["a/b", "\ud800"] })) },
      "metadata.finalizers[1]",
    ],
    [
      "a field that is unknown",
      { method: "POST", path: CONFIGMAPS, body: String.raw`{"metadata":{"name":"a"},"other":["\ud800"]}` },
      "other[0]",
    ],
    ["an update", { method: "PUT", path: `${CONFIGMAPS}/old`, body: String.raw`{"data":{"k":"\ud800"}}` }, "data.k"],
    [
      "YAML",
      { method: "POST", path: ROLES, type: "application/yaml", body: String.raw`metadata: {name: "a\ud800"}` },
      "metadata.name",
    ],
    [
      "YAML with U+0000",
      {
        method: "POST",
        path: CONFIGMAPS,
        type: "application/yaml",
        body: String.raw`{metadata: {name: a}, data: {k: "\0"}}`,
      },
      "data.k",
    ],
    [
      "a JSON patch",
      {
        method: "PATCH",
        path: `${CONFIGMAPS}/old`,
        type: "application/json-patch+json",
        body: String.raw`[{"op":"add","path":"/data","value":{"k":"\ud800"}}]`,
      },
      "[0].value.k",
    ],
    [
      "the path of a JSON patch",
      {
        method: "PATCH",
        path: `${CONFIGMAPS}/old`,
        type: "application/json-patch+json",
        body: String.raw`[{"op":"add","path":"/data/\u0000","value":"v"}]`,
      },
      "[0].path",
    ],
    [
      "a merge patch",
      {
        method: "PATCH",
        path: `${CONFIGMAPS}/old`,
        type: "application/merge-patch+json",
        body: String.raw`{"data":{"\ud800":"v"}}`,
      },
      String.raw`data.\ud800`,
    ],
    [
      "a strategic merge patch",
      {
        method: "PATCH",
        path: `${CONFIGMAPS}/old`,
        type: "application/strategic-merge-patch+json",
        body: Buffer.from('{"data":{"k":"\xff"}}', "latin1"),
      },
      "data.k",
    ],
    [
      "an applied configuration",
      {
        method: "PATCH",
        path: `${CONFIGMAPS}/new?fieldManager=m`,
        type: "application/apply-patch+yaml",
        body: String.raw`{"apiVersion":"v1","kind":"ConfigMap","data":{"k":"\ud800"}}`,
      },
      "data.k",
    ],
    [
      "an applied configuration in YAML",
      {
        method: "PATCH",
        path: `${CONFIGMAPS}/new?fieldManager=m`,
        type: "application/apply-patch+yaml",
        body: 'apiVersion: v1\nkind: ConfigMap\ndata: {k: "\\x00"}\n',
      },
      "data.k",
    ],
    [
      "protobuf that is not UTF-8",
      {
        method: "POST",
        path: CONFIGMAPS,
        type: PROTOBUF,
        body: envelope("v1", "ConfigMap", data(1, data(1, "a")), entry(2, "k", Uint8Array.of(0xff))),
      },
      "data.k",
    ],
    [
      "protobuf with U+0000",
      {
        method: "POST",
        path: CONFIGMAPS,
        type: PROTOBUF,
        body: envelope("v1", "ConfigMap", data(1, data(1, "a")), entry(2, "k\0", "v")),
      },
      String.raw`data.k\u0000`,
    ],
    [
      "the options of a deletion",
      { method: "DELETE", path: `${CONFIGMAPS}/old`, body: String.raw`{"preconditions":{"uid":"\ud800"}}` },
      "preconditions.uid",
    ],
    [
      "a review",
      {
        method: "POST",
        path: "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
        body: String.raw`{"spec":{"resourceAttributes":{"name":"\ud800"}}}`,
      },
      "spec.resourceAttributes.name",
    ],
  ])("%s", async (_name, sent, field) => {
    const api = await apiWithSimple();
    await api.call("POST", CONFIGMAPS, configMap("old"));
    const { revision } = api.store;
    expect(await fields(api, sent)).toEqual([400, "BadRequest", field]);
    expect(api.store.revision).toBe(revision);
  });
});

test("the error does not quote the value, because it may be a secret", async () => {
  const body = String.raw`{"metadata":{"name":"a"},"stringData":{"password":"hunter2\u0000"}}`;
  const response = await new ApiHarness().call("POST", "/api/v1/namespaces/default/secrets", body);
  expect(response.body.message).toBe(
    "the object provided is unrecognized: stringData.password: Invalid value: must not contain the character U+0000 (found at " +
      "position 7)",
  );
});

test("any other text is stored unchanged", async () => {
  const api = new ApiHarness();
  const text = "Grüße 😀 \ufffd\u2028\uffff \u0001\t\u007f";
  const escaped = String.raw`😀`;
  await api.call("POST", CONFIGMAPS, `{"metadata":{"name":"a"},"data":{"k":${JSON.stringify(text)},"e":"${escaped}"}}`);
  expect((await api.get(`${CONFIGMAPS}/a`)).body.data).toEqual({ k: text, e: "😀" });
});

describe("a URL with ill-formed text is rejected", () => {
  test.each<[string, Sent, string]>([
    ["a lone surrogate in a name", { method: "GET", path: `${ROLES}/a%ED%A0%80` }, "path"],
    ["U+0000 in a name", { method: "DELETE", path: `${ROLES}/a%00` }, "path"],
    ["a byte that is not UTF-8", { method: "GET", path: `/api/v1/namespaces/%ff/configmaps` }, "path"],
    ["U+0000 in a label selector", { method: "GET", path: `${CONFIGMAPS}?labelSelector=a%3D%00` }, "labelSelector"],
    [
      "a lone surrogate in a field selector",
      { method: "GET", path: `${CONFIGMAPS}?fieldSelector=a%3D%ED%A0%80` },
      "fieldSelector",
    ],
    ["a byte in the name of a parameter", { method: "GET", path: `${CONFIGMAPS}?a%ff=b` }, String.raw`a\udcff`],
    [
      "U+0000 in a field manager",
      { method: "POST", path: `${CONFIGMAPS}?fieldManager=%00`, body: "{}" },
      "fieldManager",
    ],
    ["U+0000 where a watch is asked for", { method: "GET", path: `${CONFIGMAPS}?watch=1&continue=%00` }, "continue"],
  ])("%s", async (_name, sent, field) => {
    expect(await fields(new ApiHarness(), sent)).toEqual([400, "BadRequest", field]);
  });
});

test("a stray percent sign in a query is kept literally", async () => {
  expect((await new ApiHarness().get(`${CONFIGMAPS}?pretty=100%&x=%zz%C3%A4+b`)).code).toBe(200);
});

test("a generated name never ends in half a surrogate pair", async () => {
  const api = new ApiHarness();
  const created = await api.call("POST", ROLES, { metadata: { generateName: `${"x".repeat(57)}😀😀` } });
  expect([created.code, created.body.metadata.name.isWellFormed()]).toEqual([201, true]);
  expect(created.body.metadata.name).toMatch(/^x{57}\ufffd[a-z0-9]{5}$/u);
});

test("a field manager derived from the user agent is truncated between characters", async () => {
  const api = new ApiHarness();
  const headers = { "user-agent": `${"x".repeat(127)}é/1` };
  const applied = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data: { k: "1" } };
  await api.call("PATCH", `${CONFIGMAPS}/a?fieldManager=m`, applied, { type: "application/apply-patch+yaml" });
  const request = new Request(`${CLUSTER_ORIGIN}${CONFIGMAPS}/a`, {
    method: "PATCH",
    headers: { "content-type": "application/merge-patch+json", ...headers },
    body: '{"data":{"other":"2"}}',
  });
  const { metadata } = parseJson(await (await api.fetch(request)).text()) as unknown as TestObject;
  expect(metadata.managedFields?.map(({ manager }) => manager)).toEqual(["m", "x".repeat(127)]);
});
