import { crdOf, kind, s } from "@levelset/core";
import { expect, test } from "vitest";
import { ApiHarness, CRDS } from "./api.fixture.ts";
import type { TestResponse } from "./api.fixture.ts";

const PODS = "/api/v1/namespaces/default/pods";
const names = ({ body }: TestResponse): readonly string[] => (body.items ?? []).map(({ metadata }) => metadata.name);
const selected = async (api: ApiHarness, path: string, selector: string): Promise<readonly string[]> =>
  names(await api.get(`${path}?fieldSelector=${encodeURIComponent(selector)}`));

async function podsApi(): Promise<ApiHarness> {
  const api = new ApiHarness();
  const containers = [{ name: "a", image: "i" }];
  await api.call("POST", PODS, { metadata: { name: "placed" }, spec: { nodeName: "n1", containers } });
  await api.call("POST", PODS, { metadata: { name: "free" }, spec: { hostNetwork: true, containers } });
  await api.call(
    "PATCH",
    `${PODS}/placed/status`,
    { status: { phase: "Running", podIPs: [{ ip: "10.0.0.7" }] } },
    {
      type: "application/merge-patch+json",
    },
  );
  return api;
}

test.each([
  ["spec.nodeName=n1", ["placed"]],
  ["spec.nodeName=", ["free"]],
  ["spec.host=n1", ["placed"]],
  ["spec.hostNetwork=true", ["free"]],
  ["spec.hostNetwork=false", ["placed"]],
  ["status.phase!=Running", ["free"]],
  ["status.podIP=10.0.0.7", ["placed"]],
  ["spec.restartPolicy=Always,metadata.name!=free", ["placed"]],
  ["metadata.namespace=default", ["free", "placed"]],
])("pods are selected by %s", async (selector, expected) => {
  expect(await selected(await podsApi(), PODS, selector)).toEqual(expected);
});

test("a watch by field reports objects that enter and leave the selection", async () => {
  const api = await podsApi();
  const watching = await api.watch(`${PODS}?watch=1&fieldSelector=status.phase%3DRunning`);
  const type = { type: "application/merge-patch+json" };
  await api.call("PATCH", `${PODS}/free/status`, { status: { phase: "Running" } }, type);
  await api.call("PATCH", `${PODS}/placed/status`, { status: { phase: "Succeeded" } }, type);
  const events = await watching.take(3);
  expect(events.map(({ type: what, object }) => `${what} ${object.metadata.name}`)).toEqual([
    "ADDED placed",
    "ADDED free",
    "DELETED placed",
  ]);
});

test("a collection is deleted by field", async () => {
  const api = new ApiHarness();
  const path = "/api/v1/namespaces/default/secrets";
  await api.call("POST", path, { metadata: { name: "a" }, type: "example.com/x" });
  await api.call("POST", path, { metadata: { name: "b" }, type: "example.com/y" });
  await api.call("DELETE", `${path}?fieldSelector=type%3Dexample.com%2Fx`);
  expect(names(await api.get(path))).toEqual(["b"]);
  const refused = await api.call("DELETE", `${path}?fieldSelector=data%3Dx`);
  expect([refused.code, refused.body.message]).toEqual([400, "field label not supported: data"]);
});

test("a custom resource is selected by its selectable fields", async () => {
  const Shirt = kind({
    group: "examples.levelset.dev",
    version: "v1",
    kind: "Shirt",
    spec: s.object({ color: s.string(), size: s.int32().optional(), wet: s.boolean().optional() }),
    selectableFields: [".spec.color", ".spec.size", ".spec.wet"],
  });
  const api = new ApiHarness();
  await api.call("POST", CRDS, crdOf(Shirt));
  const path = "/apis/examples.levelset.dev/v1/namespaces/default/shirts";
  const shirt = (name: string, spec: unknown): unknown => ({
    apiVersion: "examples.levelset.dev/v1",
    kind: "Shirt",
    metadata: { name },
    spec,
  });
  await api.call("POST", path, shirt("a", { color: "blue", size: 4 }));
  await api.call("POST", path, shirt("b", { color: "red", size: 5, wet: true }));
  expect(await selected(api, path, "spec.color=blue")).toEqual(["a"]);
  expect(await selected(api, path, "spec.size!=4")).toEqual(["b"]);
  expect(await selected(api, path, "spec.wet=true")).toEqual(["b"]);
  const unknown = await api.get(`${path}?fieldSelector=spec.other%3D1`);
  expect([unknown.code, unknown.body.message]).toEqual([400, "field label not supported: spec.other"]);
});
