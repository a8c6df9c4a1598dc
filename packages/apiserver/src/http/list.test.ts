import { expect, test } from "vitest";
import { ApiHarness, apiWithSimple, CONFIGMAPS, configMap, simple, SIMPLES } from "./api.fixture.ts";
import type { TestResponse } from "./api.fixture.ts";

const names = ({ body }: TestResponse): readonly string[] => (body.items ?? []).map(({ metadata }) => metadata.name);

async function apiWith(...desired: readonly string[]): Promise<ApiHarness> {
  const api = new ApiHarness();
  for (const name of desired) await api.call("POST", CONFIGMAPS, configMap(name));
  return api;
}

test("a list has a kind, a version and its objects sorted by name", async () => {
  const api = await apiWithSimple();
  await api.simple("b");
  await api.simple("a");
  const response = await api.get(SIMPLES);
  expect(response.body).toMatchObject({
    kind: "SimpleList",
    apiVersion: "examples.levelset.dev/v1",
    metadata: { resourceVersion: String(api.store.revision) },
  });
  expect(names(response)).toEqual(["a", "b"]);
});

test("a list of all namespaces is ordered by namespace, then name", async () => {
  const api = await apiWithSimple();
  await api.call("POST", SIMPLES.replace("default", "kube-system"), simple("a"));
  await api.simple("z");
  expect(names(await api.get("/apis/examples.levelset.dev/v1/simples"))).toEqual(["z", "a"]);
});

test("label and field selectors filter; unknown fields and malformed selectors return 400", async () => {
  const api = await apiWith("a", "b", "c");
  await api.merge(`${CONFIGMAPS}/b`, { metadata: { labels: { tier: "x" } } });
  expect(names(await api.get(`${CONFIGMAPS}?labelSelector=tier`))).toEqual(["b"]);
  expect(names(await api.get(`${CONFIGMAPS}?labelSelector=tier%20notin%20(x)`))).toEqual(["a", "c"]);
  expect(names(await api.get(`${CONFIGMAPS}?fieldSelector=metadata.name!%3Da`))).toEqual(["b", "c"]);
  expect(names(await api.get("/api/v1/configmaps?fieldSelector=metadata.namespace%3Dkube-system"))).toEqual([]);
  const unknown = await api.get(`${CONFIGMAPS}?fieldSelector=data.x%3D1`);
  expect([unknown.code, unknown.body.reason]).toEqual([400, "BadRequest"]);
  expect(unknown.body.message).toBe(
    '"data.x" is not a known field selector: only "metadata.name", "metadata.namespace"',
  );
  expect((await api.get(`${CONFIGMAPS}?labelSelector=%3D%3D`)).code).toBe(400);
});

test("pages show one snapshot despite writes in between", async () => {
  const api = await apiWith("a", "b", "c", "d");
  const first = await api.get(`${CONFIGMAPS}?limit=2`);
  expect(names(first)).toEqual(["a", "b"]);
  const {
    resourceVersion,
    continue: token,
    remainingItemCount,
  } = first.body.metadata as unknown as Record<string, string>;
  expect(remainingItemCount).toBe(2);
  await api.call("DELETE", `${CONFIGMAPS}/c`);
  await api.call("POST", CONFIGMAPS, configMap("bb"));
  await api.merge(`${CONFIGMAPS}/d`, { data: { new: "1" } });
  const second = await api.get(`${CONFIGMAPS}?limit=2&continue=${token}`);
  expect(names(second)).toEqual(["c", "d"]);
  expect(second.body.items?.[1]?.data).toBeUndefined();
  expect(second.body.metadata).toEqual({ resourceVersion });
});

test("a continue token returns 410 once its snapshot is compacted, and 400 if it is malformed", async () => {
  const api = new ApiHarness({ historyMax: 2 });
  for (const name of ["a", "b", "c"]) await api.call("POST", CONFIGMAPS, configMap(name));
  const first = await api.get(`${CONFIGMAPS}?limit=1`);
  for (const name of ["d", "e", "f"]) await api.call("POST", CONFIGMAPS, configMap(name));
  const { continue: token } = first.body.metadata as unknown as Record<string, string>;
  const late = await api.get(`${CONFIGMAPS}?limit=1&continue=${token}`);
  expect([late.code, late.body.reason]).toEqual([410, "Expired"]);
  const { continue: rest } = late.body.metadata as unknown as Record<string, string>;
  // The rest of the current objects, no longer from the snapshot of the first page.
  expect(names(await api.get(`${CONFIGMAPS}?continue=${rest}`))).toEqual(["b", "c", "d", "e", "f"]);
  expect((await api.get(`${CONFIGMAPS}?continue=nonsense`)).code).toBe(400);
});

test("resourceVersion selects any state, a minimum or an exact state, and rejects future ones", async () => {
  const api = await apiWith("a");
  const revision = api.store.revision;
  await api.call("POST", CONFIGMAPS, configMap("b"));
  expect(names(await api.get(`${CONFIGMAPS}?resourceVersion=0`))).toEqual(["a", "b"]);
  expect(names(await api.get(`${CONFIGMAPS}?resourceVersion=${revision}&resourceVersionMatch=NotOlderThan`))).toEqual([
    "a",
    "b",
  ]);
  const exact = await api.get(`${CONFIGMAPS}?resourceVersion=${revision}&resourceVersionMatch=Exact`);
  expect([names(exact), exact.body.metadata.resourceVersion]).toEqual([["a"], String(revision)]);
  const future = await api.get(`${CONFIGMAPS}?resourceVersion=999`);
  expect([future.code, future.body.reason]).toEqual([504, "Timeout"]);
  expect((await api.get(`${CONFIGMAPS}?resourceVersionMatch=Exact`)).code).toBe(422);
  expect((await api.get(`${CONFIGMAPS}?resourceVersion=x`)).code).toBe(400);
});

test("ten thousand objects are listed in one response", async () => {
  const api = new ApiHarness({ historyMax: 10 });
  for (let index = 0; index < 10_000; index++) {
    const key = { resource: "configmaps", namespace: "default", name: `cm-${index}` };
    const metadata = { name: key.name, namespace: "default", uid: "u", resourceVersion: "" };
    await api.store.create(key, { apiVersion: "v1", kind: "ConfigMap", metadata, data: { a: "b".repeat(100) } });
  }
  const { body } = await api.get(CONFIGMAPS);
  expect(body.items).toHaveLength(10_000);
});
