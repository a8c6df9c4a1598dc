import { beforeEach, describe, expect, test } from "vitest";
import { ApiHarness } from "../http/api.fixture.ts";
import { gadgetResource } from "./gadget-resource.fixture.ts";
import { BUILTIN_RESOURCES } from "./index.ts";

const GADGETS = "/apis/apps/v1/namespaces/default/gadgets";
const GADGET_PATH = "/apis/apps/v1/namespaces/{namespace}/gadgets/{name}";
const TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";

function gadget(name: string, spec: object = {}): object {
  return { apiVersion: "apps/v1", kind: "Gadget", metadata: { name }, spec };
}

describe("a built-in kind that consists of a declaration and a record", () => {
  let api: ApiHarness;

  beforeEach(() => {
    api = new ApiHarness({ resources: [...BUILTIN_RESOURCES, gadgetResource] });
  });

  test("is in discovery with its names, category and subresources", async () => {
    const { body } = await api.get("/apis/apps/v1");
    const found = (body["resources"] as { name: string }[]).filter(({ name }) => name.startsWith("gadgets"));
    expect(found).toMatchObject([
      { name: "gadgets", singularName: "gadget", kind: "Gadget", shortNames: ["gd"], categories: ["all"] },
      { name: "gadgets/scale", kind: "Scale", group: "autoscaling" },
      { name: "gadgets/status", kind: "Gadget" },
      { name: "gadgets/token", kind: "GadgetTicket", verbs: ["create"] },
    ]);
  });

  test("is created with defaults, a generation and its initial status", async () => {
    const { code, body } = await api.call("POST", GADGETS, gadget("a", { color: "red" }));
    expect([code, body.metadata.generation]).toEqual([201, 1]);
    expect(body).toMatchObject({ spec: { size: 1, color: "red" }, status: { phase: "New" } });
  });

  test("rejects objects that break its rules, on create and on update", async () => {
    const created = await api.call("POST", GADGETS, gadget("a", { size: -1 }));
    expect(created.code).toBe(422);
    expect(created.body.details?.causes).toMatchObject([{ field: "spec.size" }]);
    await api.call("POST", GADGETS, gadget("a", { color: "red" }));
    const updated = await api.merge(`${GADGETS}/a`, { spec: { color: "blue" } });
    expect(updated.body.message).toContain('spec.color: Invalid value: "blue": field is immutable');
  });

  test("is printed with its columns", async () => {
    await api.call("POST", GADGETS, gadget("a", { size: 3 }));
    const { body } = await api.call("GET", GADGETS, undefined, { accept: TABLE });
    expect(body["columnDefinitions"]).toMatchObject([{ name: "Name" }, { name: "Size" }, { name: "Age" }]);
    expect(body["rows"]).toMatchObject([{ cells: ["a", 3, "0s"] }]);
  });

  test("has a status and a scale that are written on their own", async () => {
    await api.call("POST", GADGETS, gadget("a", { replicas: 1 }));
    const status = await api.merge(`${GADGETS}/a/status`, { spec: { size: 9 }, status: { phase: "Done" } });
    expect(status.body).toMatchObject({ spec: { size: 1 }, status: { phase: "Done" } });
    await api.merge(`${GADGETS}/a/scale`, { spec: { replicas: 4 } });
    expect((await api.get(`${GADGETS}/a`)).body).toMatchObject({
      metadata: { generation: 2 },
      spec: { replicas: 4 },
      status: { phase: "Done" },
    });
  });

  test("is selected by its field labels, and by no others", async () => {
    await api.call("POST", GADGETS, gadget("a", { color: "red" }));
    await api.call("POST", GADGETS, gadget("b", { color: "blue" }));
    const { body } = await api.get(`${GADGETS}?fieldSelector=spec.color=red`);
    expect(body.items?.map(({ metadata }) => metadata.name)).toEqual(["a"]);
    expect((await api.get(`${GADGETS}?fieldSelector=spec.size=1`)).code).toBe(400);
  });

  test("is described by OpenAPI, with its paths", async () => {
    const { body } = await api.get("/openapi/v3/apis/apps/v1");
    expect(body).toMatchObject({
      paths: { "/apis/apps/v1/namespaces/{namespace}/gadgets/{name}/status": {} },
      components: {
        schemas: {
          "io.k8s.api.apps.v1.Gadget": {
            description: "A made-up kind.",
            "x-kubernetes-group-version-kind": [{ group: "apps", version: "v1", kind: "Gadget" }],
          },
        },
      },
    });
  });

  test("is described by OpenAPI, with the bodies of its subresources", async () => {
    const { body } = await api.get("/openapi/v3/apis/apps/v1");
    const bodyOf = (name: string): unknown => ({
      content: { "*/*": { schema: { $ref: `#/components/schemas/${name}` } } },
      required: true,
    });
    expect(body).toMatchObject({
      paths: {
        [`${GADGET_PATH}/scale`]: { put: { requestBody: bodyOf("io.k8s.api.autoscaling.v1.Scale") } },
        [`${GADGET_PATH}/status`]: { put: { requestBody: bodyOf("io.k8s.api.apps.v1.Gadget") } },
        [`${GADGET_PATH}/token`]: { post: { requestBody: bodyOf("io.k8s.api.apps.v1.GadgetTicket") } },
      },
      components: { schemas: { "io.k8s.api.apps.v1.GadgetTicket": { properties: { spec: {} } } } },
    });
  });

  test("is applied by its schema, and its deletion carries its warning", async () => {
    const applied = await api.call("PATCH", `${GADGETS}/a?fieldManager=m`, gadget("a", { color: "red" }), {
      type: "application/apply-patch+yaml",
    });
    expect(applied.body.metadata.managedFields).toMatchObject([{ fieldsV1: { "f:spec": { "f:color": {} } } }]);
    const deleted = await api.call("DELETE", `${GADGETS}/a`);
    expect(deleted.headers.get("warning")).toBe('299 - "gadgets are gone for good"');
  });

  test("is not served without its record", async () => {
    expect((await new ApiHarness().get(GADGETS)).code).toBe(404);
  });
});
