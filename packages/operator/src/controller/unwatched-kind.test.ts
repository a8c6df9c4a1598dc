import { crdOf, CustomResourceDefinition, kind, s } from "@levelset/core";
import type { Runnable } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, test } from "vitest";
import { operator } from "../manager/index.ts";
import { ok, reference, step, wait } from "../engine/index.ts";

const GROUP = { group: "test.levelset.dev", version: "v1" };
const License = kind({ ...GROUP, kind: "License", spec: s.object({}) });
const Shop = kind({
  ...GROUP,
  kind: "Shop",
  spec: s.object({ license: s.string() }),
  status: s.object({ licensed: s.boolean().optional() }),
});

const licensed = step(Shop, "Licensed", {
  condition: "LicensedReady",
  reads: [reference(Shop, License, ({ spec }) => spec.license)],
  do: (req) => {
    if (req.get(License, { namespace: "default", name: req.spec.license }) === undefined) return wait("no license yet");
    req.status.licensed = true;
    return ok();
  },
  cleanup: () => ok(),
});

/** Runs the operator on a cluster that may lack the kind of its input. */
function shops(): Runnable {
  return { ...operator(Shop, [licensed]), kinds: [Shop] };
}

async function installLicenses(cluster: TestCluster): Promise<void> {
  const { metadata, spec } = crdOf(License);
  await cluster.apply(CustomResourceDefinition, { name: metadata.name, spec });
}

const REFUSED = {
  severity: "Error",
  reason: "CannotWatch",
  message: "no step runs: cannot list licenses.test.levelset.dev: the server does not serve it (needs list and watch)",
} as const;

describe("an object whose operator reads a kind that the server does not serve", () => {
  test("reports that once, and becomes ready after the kind is installed", async () => {
    await using cluster = await testCluster();
    cluster.run(shops());
    await cluster.create(Shop, { name: "a", spec: { license: "l" } });
    await cluster.clock.advance(20_000);
    const shop = await cluster.untilSettled(Shop, "a");
    expect(shop).toHaveCondition("Ready", "False", REFUSED);
    expect(shop).toHaveCondition("LicensedReady", "Unknown", { reason: "NotReached" });
    expect(shop.status?.observedGeneration).toBe(shop.metadata.generation);
    const writes = cluster.writes(Shop, "a");
    await cluster.clock.advance(3_600_000);
    expect(cluster.writes(Shop, "a")).toBe(writes);
    await installLicenses(cluster);
    await cluster.create(License, { name: "l", spec: {} });
    await cluster.clock.advance(60_000);
    const ready = await cluster.untilSettled(Shop, "a");
    expect(ready).toBeReady();
    expect(ready.status).toMatchObject({ licensed: true });
    expect(ready.status?.conditions?.map(({ type }) => type)).toEqual(["Ready", "LicensedReady"]);
  });

  test("keeps the rest of its status, and reports also a deletion and a new object", async () => {
    await using cluster = await testCluster();
    const first = cluster.run(shops());
    await installLicenses(cluster);
    await cluster.create(License, { name: "l", spec: {} });
    await cluster.create(Shop, { name: "a", spec: { license: "l" } });
    await cluster.clock.advance(60_000);
    expect(await cluster.untilSettled(Shop, "a")).toBeReady();
    await first.stop();
    await cluster.delete(CustomResourceDefinition, "licenses.test.levelset.dev");
    cluster.run(shops());
    await cluster.create(Shop, { name: "b", spec: { license: "l" } });
    await cluster.clock.advance(20_000);
    const shop = await cluster.untilSettled(Shop, "a");
    expect(shop).toHaveCondition("Ready", "False", REFUSED);
    expect(shop.status?.licensed).toBe(true);
    expect(await cluster.untilSettled(Shop, "b")).toHaveCondition("Ready", "False", REFUSED);
    await cluster.delete(Shop, "a");
    await cluster.clock.advance(20_000);
    expect(await cluster.untilSettled(Shop, "a")).toHaveCondition("Ready", "False", {
      reason: "Deleting",
      message: /cannot list licenses\.test\.levelset\.dev/u,
    });
  });

  test("is not written if the kind is installed soon after the start", async () => {
    await using cluster = await testCluster();
    cluster.run(shops());
    await cluster.create(Shop, { name: "a", spec: { license: "l" } });
    await cluster.clock.advance(4_000);
    await installLicenses(cluster);
    await cluster.clock.advance(30_000);
    const reasons = cluster
      .history(Shop, "a")
      .flatMap(({ status }) => status?.conditions?.map(({ reason }) => reason) ?? []);
    expect(reasons).not.toContain("CannotWatch");
    expect(await cluster.untilSettled(Shop, "a")).toHaveCondition("Ready", "False", { message: /no license yet/u });
  });
});
