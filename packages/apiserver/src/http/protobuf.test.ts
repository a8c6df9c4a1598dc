import { CLUSTER_ORIGIN, parseJson } from "@levelset/core/internal";
import { describe, expect, test } from "vitest";
import { bytes, data, entry, envelope, int } from "../protobuf/encoder.fixture.ts";
import { ApiHarness, CONFIGMAPS, configMap, CRDS } from "./api.fixture.ts";
import type { TestResponse, TestObject } from "./api.fixture.ts";

const PROTOBUF = "application/vnd.kubernetes.protobuf";
/** Accept header of kubectl and of controllers written in Go. */
const ACCEPT = `${PROTOBUF},application/json`;

async function send(
  api: ApiHarness,
  method: string,
  path: string,
  body: Uint8Array<ArrayBuffer>,
  type = PROTOBUF,
): Promise<TestResponse> {
  const headers = { "content-type": type, accept: ACCEPT };
  const response = await api.fetch(new Request(CLUSTER_ORIGIN + path, { method, headers, body }));
  const result = parseJson(await response.text()) as unknown as TestObject;
  return { code: response.status, headers: response.headers, body: result };
}

function config(name: string, ...fields: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(envelope("v1", "ConfigMap", data(1, data(1, name)), ...fields));
}

test("an object in protobuf is stored like JSON, and the response is JSON", async () => {
  const api = new ApiHarness();
  const body = config("a", entry(2, "k", "v"), entry(3, "raw", Uint8Array.of(0xff)), int(4, false));
  const created = await send(api, "POST", `${CONFIGMAPS}?fieldValidation=Strict`, body, `${PROTOBUF}; charset=x`);
  expect([created.code, created.headers.get("content-type")]).toEqual([201, "application/json"]);
  expect(created.body).toMatchObject({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "a", namespace: "default" },
    data: { k: "v" },
    binaryData: { raw: "/w==" },
    immutable: false,
  });
  expect((await api.get(`${CONFIGMAPS}/a`)).body).toEqual(created.body);
});

test("a CustomResourceDefinition in protobuf is stored with its schema", async () => {
  const names = data(3, data(1, "widgets"), data(2, "widget"), data(4, "Widget"), data(5, "WidgetList"));
  const property = entry(29, "size", data(5, "integer"), data(8, data(1, "9007199254740993")));
  const open = entry(29, "labels", data(5, "object"), data(30, int(1, 1), data(2, data(5, "string"))));
  const schema = data(4, data(1, data(5, "object"), entry(29, "spec", data(5, "object"), property, open)));
  const version = data(7, data(1, "v1"), int(2, true), int(3, true), schema);
  const spec = data(2, data(1, "example.com"), names, data(4, "Namespaced"), version);
  const meta = data(1, data(1, "widgets.example.com"));
  const body = Uint8Array.from(envelope("apiextensions.k8s.io/v1", "CustomResourceDefinition", meta, spec));
  const created = await send(new ApiHarness(), "POST", CRDS, body);
  expect(created.code).toBe(201);
  expect(created.body.spec).toMatchObject({
    names: { plural: "widgets", kind: "Widget" },
    versions: [
      {
        name: "v1",
        schema: {
          openAPIV3Schema: {
            properties: {
              spec: {
                properties: {
                  size: { type: "integer", default: 9007199254740993n },
                  labels: { type: "object", additionalProperties: { type: "string" } },
                },
              },
            },
          },
        },
      },
    ],
  });
});

test("a client that accepts protobuf only gets 406", async () => {
  expect((await new ApiHarness().call("GET", CONFIGMAPS, undefined, { accept: PROTOBUF })).code).toBe(406);
});

test("an update in protobuf replaces the object", async () => {
  const api = new ApiHarness();
  await api.call("POST", CONFIGMAPS, configMap("a", { x: "1" }));
  const updated = await send(api, "PUT", `${CONFIGMAPS}/a`, config("a", entry(2, "y", "2")));
  expect([updated.code, updated.body.data]).toEqual([200, { y: "2" }]);
});

test("a delete accepts its options in protobuf", async () => {
  const api = new ApiHarness();
  await api.call("POST", CONFIGMAPS, configMap("a"));
  const options = (...fields: readonly Uint8Array[]): Uint8Array<ArrayBuffer> =>
    Uint8Array.from(envelope("v1", "DeleteOptions", ...fields));
  const other = await send(api, "DELETE", `${CONFIGMAPS}/a`, options(data(2, data(1, "another-uid"))));
  expect([other.code, other.body.reason]).toEqual([409, "Conflict"]);
  expect((await send(api, "DELETE", `${CONFIGMAPS}/a`, options(data(5, "All")))).code).toBe(200);
  expect((await api.get(`${CONFIGMAPS}/a`)).code).toBe(200);
  expect((await send(api, "DELETE", `${CONFIGMAPS}/a`, options(int(1, 0)))).code).toBe(200);
  expect((await api.get(`${CONFIGMAPS}/a`)).code).toBe(404);
});

describe("a body in protobuf is rejected", () => {
  test.each<[string, Uint8Array, string]>([
    ["when it is empty", bytes(), 'protobuf: the body does not begin with "k8s" and a zero byte'],
    ["when it is JSON", Buffer.from("{}"), 'protobuf: the body does not begin with "k8s" and a zero byte'],
    ["when it is cut off", config("a").subarray(0, 12), "protobuf: truncated"],
    ["when it is another kind", envelope("v1", "Secret"), 'Secret in version "v1" cannot be handled as a ConfigMap'],
  ])("%s", async (_name, body, message) => {
    const { code, body: status } = await send(new ApiHarness(), "POST", CONFIGMAPS, Uint8Array.from(body));
    expect([code, status.reason]).toEqual([400, "BadRequest"]);
    expect(status.message).toContain(message);
  });

  test("when its kind has no protobuf encoding", async () => {
    const body = Uint8Array.from(envelope("examples.levelset.dev/v1", "Simple"));
    const { code, body: status } = await send(new ApiHarness(), "POST", CONFIGMAPS, body);
    expect([code, status.reason]).toEqual([415, "UnsupportedMediaType"]);
    expect(status.message).toBe(
      'Simple in version "examples.levelset.dev/v1" is not read from protobuf - accepted media types include: application/json, ' +
        "application/yaml, application/vnd.kubernetes.protobuf",
    );
  });

  test("when it is too large", async () => {
    const body = config("a", entry(2, "k", "x".repeat(3 * 1024 * 1024)));
    expect((await send(new ApiHarness(), "POST", CONFIGMAPS, body)).code).toBe(413);
  });
});
