import { expect, test } from "vitest";
import { ApiHarness, CONFIGMAPS } from "../api.fixture.ts";
import { rewriteLegacyWatch } from "./api-route.ts";

const LEASES = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
const TWICE = '{"metadata":{"name":"a"},"data":{"x":"1","x":"2"}}';

test("a duplicate field is rejected under strict validation, else reported, and its last value wins", async () => {
  const api = new ApiHarness();
  const strict = await api.call("POST", `${CONFIGMAPS}?fieldValidation=Strict`, TWICE);
  expect([strict.code, strict.body.message]).toEqual([
    400,
    'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: duplicate field "data.x"',
  ]);
  const warned = await api.call("POST", CONFIGMAPS, TWICE);
  expect(warned.headers.get("warning")).toBe(String.raw`299 - "duplicate field \"data.x\""`);
  expect(warned.body["data"]).toEqual({ x: "2" });
  const ignored = await api.call("PUT", `${CONFIGMAPS}/a?fieldValidation=Ignore`, TWICE);
  expect([ignored.code, ignored.headers.get("warning")]).toEqual([200, null]);
});

test("an update creates a missing lease, but not a missing ConfigMap", async () => {
  const api = new ApiHarness();
  const lease = { metadata: { name: "a" }, spec: { holderIdentity: "me" } };
  expect((await api.call("PUT", `${LEASES}/a`, lease)).code).toBe(201);
  expect((await api.call("PUT", `${LEASES}/b?dryRun=All`, { ...lease, metadata: { name: "b" } })).code).toBe(201);
  expect((await api.get(`${LEASES}/b`)).code).toBe(404);
  expect((await api.call("PUT", `${CONFIGMAPS}/a`, { metadata: { name: "a" } })).code).toBe(404);
});

test.each([
  ["/api/v1/watch/pods", { pathname: "/api/v1/pods", query: [["watch", "true"]] }],
  [
    "/apis/apps/v1/watch/namespaces/x/deployments/a",
    {
      pathname: "/apis/apps/v1/namespaces/x/deployments",
      query: [
        ["watch", "true"],
        ["fieldSelector", "metadata.name=a"],
      ],
    },
  ],
  ["/api/v1/pods", undefined],
  ["/api/v1/watch", undefined],
  ["/api/v1/namespaces/watch/pods", undefined],
  ["/watch/pods", undefined],
])("the deprecated watch path %s is rewritten", (path, expected) => {
  expect(rewriteLegacyWatch(path)).toEqual(expected);
});
