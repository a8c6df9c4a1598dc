import { describe, expect, test } from "vitest";
import { ApiHarness, CONFIGMAPS, configMap } from "./api.fixture.ts";
import type { TestObject } from "./api.fixture.ts";

const A = `${CONFIGMAPS}/a`;
const PODS = "/api/v1/namespaces/default/pods";

async function withConfigMap(metadata: Readonly<Record<string, unknown>> = {}): Promise<ApiHarness> {
  const api = new ApiHarness();
  await api.call("POST", CONFIGMAPS, { ...configMap("a"), metadata: { name: "a", ...metadata } });
  return api;
}

function finalizers(object: TestObject | undefined): readonly string[] | undefined {
  return object?.metadata.finalizers;
}

describe("propagation", () => {
  const held = { finalizers: ["x.dev/y"] };
  const CASES = [
    [{ propagationPolicy: "Background" }, ["x.dev/y"], 200],
    [{ propagationPolicy: "Foreground" }, ["x.dev/y", "foregroundDeletion"], 202],
    [{ propagationPolicy: "Orphan" }, ["x.dev/y", "orphan"], 200],
    [{ orphanDependents: true }, ["x.dev/y", "orphan"], 200],
    [{ orphanDependents: false }, ["x.dev/y"], 202],
    [{}, ["x.dev/y"], 200],
  ] as const;

  test.for(CASES)("%j in the body means %j", async ([options, expected, code]) => {
    const api = await withConfigMap(held);
    const response = await api.call("DELETE", A, { kind: "DeleteOptions", apiVersion: "v1", ...options });
    expect([response.code, finalizers(response.body)]).toEqual([code, expected]);
    expect(response.body.metadata).toMatchObject({ deletionGracePeriodSeconds: 0 });
  });

  test.for(CASES)("%j in the query means %j", async ([options, expected, code]) => {
    const api = await withConfigMap(held);
    const query = new URLSearchParams(
      Object.entries(options).map(([key, value]): [string, string] => [key, String(value)]),
    );
    const response = await api.call("DELETE", `${A}?${query.toString()}`);
    expect([response.code, finalizers(response.body)]).toEqual([code, expected]);
  });

  test("options in the body replace those of the query", async () => {
    const api = await withConfigMap(held);
    const { body } = await api.call("DELETE", `${A}?propagationPolicy=Orphan`, { propagationPolicy: "Foreground" });
    expect(finalizers(body)).toEqual(["x.dev/y", "foregroundDeletion"]);
  });

  test("a later request may change the propagation policy", async () => {
    const api = await withConfigMap(held);
    const first = await api.call("DELETE", `${A}?propagationPolicy=Orphan`);
    const second = await api.call("DELETE", `${A}?propagationPolicy=Background`);
    expect(finalizers(second.body)).toEqual(["x.dev/y"]);
    expect(second.body.metadata.deletionTimestamp).toBe(first.body.metadata.deletionTimestamp);
  });
});

describe("rejected options", () => {
  test.for([
    [{ propagationPolicy: "Sometimes" }, 422, 'Unsupported value: "Sometimes"'],
    [{ propagationPolicy: "Orphan", orphanDependents: true }, 422, "cannot be both set"],
    [{ dryRun: ["Some"] }, 422, "dryRun: Unsupported value"],
    [{ gracePeriodSeconds: "soon" }, 400, "gracePeriodSeconds must be a number"],
    [{ preconditions: "none" }, 400, "preconditions must be an object"],
    [[], 400, "DeleteOptions must be an object"],
    [{ kind: "Pod" }, 400, "cannot be converted to DeleteOptions"],
  ] as const)("%j returns %d", async ([options, code, message]) => {
    const api = await withConfigMap();
    const response = await api.call("DELETE", A, options);
    expect([response.code, response.body.message]).toEqual([code, expect.stringContaining(message)]);
    expect((await api.get(A)).code).toBe(200);
  });
});

describe("pods", () => {
  async function withPod(nodeName: string): Promise<ApiHarness> {
    const api = new ApiHarness();
    const spec = { containers: [{ name: "c", image: "i" }], ...(nodeName === "" ? {} : { nodeName }) };
    await api.call("POST", PODS, { apiVersion: "v1", kind: "Pod", metadata: { name: "p" }, spec });
    return api;
  }

  test("without a node are deleted at once, and the response is the pod", async () => {
    const api = await withPod("");
    const { code, body } = await api.call("DELETE", `${PODS}/p`);
    expect([code, body.kind]).toEqual([200, "Pod"]);
    expect((await api.get(`${PODS}/p`)).code).toBe(404);
  });

  test("on a node stay for the grace period, which can only be shortened", async () => {
    const api = await withPod("n");
    const first = await api.call("DELETE", `${PODS}/p`);
    expect(first.body.metadata).toMatchObject({
      deletionTimestamp: "2026-01-01T00:00:30Z",
      deletionGracePeriodSeconds: 30,
    });
    const longer = await api.call("DELETE", `${PODS}/p?gracePeriodSeconds=60`);
    expect(longer.body.metadata.deletionGracePeriodSeconds).toBe(30);
    const shorter = await api.call("DELETE", `${PODS}/p`, { gracePeriodSeconds: 5 });
    expect(shorter.body.metadata).toMatchObject({
      deletionTimestamp: "2026-01-01T00:00:05Z",
      deletionGracePeriodSeconds: 5,
    });
    await api.call("DELETE", `${PODS}/p?gracePeriodSeconds=0`);
    expect((await api.get(`${PODS}/p`)).code).toBe(404);
  });

  test("with a finalizer stay even with a grace period of zero", async () => {
    const api = await withPod("n");
    await api.merge(`${PODS}/p`, { metadata: { finalizers: ["x.dev/y"] } });
    const { body } = await api.call("DELETE", `${PODS}/p?gracePeriodSeconds=0`);
    expect(body.metadata).toMatchObject({ deletionGracePeriodSeconds: 0, finalizers: ["x.dev/y"] });
    await api.merge(`${PODS}/p`, { metadata: { finalizers: null } });
    expect((await api.get(`${PODS}/p`)).code).toBe(404);
  });
});

test("deletecollection applies the delete options", async () => {
  const api = await withConfigMap();
  await api.call("POST", CONFIGMAPS, configMap("b"));
  const { code } = await api.call("DELETE", `${CONFIGMAPS}?fieldSelector=metadata.name%3Da`, {
    propagationPolicy: "Foreground",
    dryRun: ["All"],
  });
  expect(code).toBe(200);
  expect((await api.get(CONFIGMAPS)).body.items).toHaveLength(2);
});

test("a dry run returns the object as it would be and does not mark it", async () => {
  const api = await withConfigMap({ finalizers: ["x.dev/y"] });
  const { body } = await api.call("DELETE", A, { dryRun: ["All"], propagationPolicy: "Orphan" });
  expect(finalizers(body)).toEqual(["x.dev/y", "orphan"]);
  expect((await api.get(A)).body.metadata.deletionTimestamp).toBeUndefined();
});
