import { ConfigMap, CustomResourceDefinition, kind, s } from "@levelset/core";
import type { StatusReason } from "@levelset/core";
import { Client, ok, operator, reference, step } from "@levelset/operator";
import { testCluster } from "@levelset/apiserver/testing";
import { describe, expect, test } from "vitest";
import { checkAccess } from "./access-check.ts";
import type { Program } from "../process/load-program.ts";
import { explainRefusal } from "../cluster/explain-refusal.ts";

const make = (name: string) => kind({ group: "test.levelset.dev", version: "v1", kind: name, spec: s.object({}) });
const Shop = make("Shop");
const Brand = make("Brand");
const shops = operator(Shop, [
  step(Shop, "Stock", {
    owns: [ConfigMap],
    reads: [reference(Shop, Brand, ({ metadata }) => metadata.name)],
    do: () => ok(),
  }),
]);
const program: Program = { operators: [shops], others: [], options: {} };
const { signal } = new AbortController();

describe("the access check", () => {
  test("lists every watched collection once, in the watched namespaces", async () => {
    await using cluster = await testCluster({ kinds: [Shop, Brand] });
    const client = new Client({ fetch: cluster.faults.fetch, fieldManager: "test" });
    await checkAccess(client, program, { signal });
    const leaderElection = { namespace: "default", name: "shops", identity: "me" };
    await checkAccess(client, program, { signal, namespaces: ["a", "b"], leaderElection });
    expect(
      cluster
        .requests()
        .map(({ method, path }) => `${method} ${path}`)
        .toSorted(),
    ).toEqual([
      "GET /api/v1/configmaps",
      "GET /api/v1/namespaces/a/configmaps",
      "GET /api/v1/namespaces/b/configmaps",
      "GET /apis/coordination.k8s.io/v1/namespaces/default/leases/shops",
      "GET /apis/test.levelset.dev/v1/brands",
      "GET /apis/test.levelset.dev/v1/namespaces/a/brands",
      "GET /apis/test.levelset.dev/v1/namespaces/a/shops",
      "GET /apis/test.levelset.dev/v1/namespaces/b/brands",
      "GET /apis/test.levelset.dev/v1/namespaces/b/shops",
      "GET /apis/test.levelset.dev/v1/shops",
    ]);
  });

  test("fails for a kind that the cluster does not serve, and names its owner", async () => {
    await using cluster = await testCluster({ kinds: [Brand] });
    const client = new Client({ fetch: cluster.fetch, fieldManager: "test" });
    await expect(checkAccess(client, program, { signal })).rejects.toMatchObject({
      message: "the cluster does not serve the kind Shop (test.levelset.dev/v1)",
      hint: expect.stringContaining("--install-crds"),
    });
    await cluster.install(Shop);
    await cluster.delete(CustomResourceDefinition, "brands.test.levelset.dev");
    await expect(checkAccess(client, program, { signal })).rejects.toMatchObject({
      message: "the cluster does not serve the kind Brand (test.levelset.dev/v1)",
      hint: expect.stringContaining("install its CRD first"),
    });
  });

  test.each<[StatusReason, string, string]>([
    ["Forbidden", "missing permissions: Forbidden (injected)", "levelset manifests shops.ts"],
    ["Unauthorized", "the cluster rejected the credentials of the context prod", "log in again"],
  ])("%s has a one-line message and a hint", async (reason, message, hint) => {
    await using cluster = await testCluster({ kinds: [Shop, Brand] });
    cluster.faults.failNth(1, { kind: "status", reason });
    const client = new Client({ fetch: cluster.faults.fetch, fieldManager: "test" });
    const refused = await checkAccess(client, program, { signal }).catch((error: unknown) => error);
    expect(explainRefusal(refused, { context: "prod", file: "shops.ts" })).toMatchObject({
      name: "InputError",
      message,
      hint: expect.stringContaining(hint),
    });
  });

  test("other errors are unchanged", () => {
    const error = new Error("of another kind");
    expect(explainRefusal(error, { context: "prod", file: "shops.ts" })).toBe(error);
  });
});
