import { testCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { expect, test } from "vitest";
import { Store } from "./bucket.ts";
import { Site, sites } from "./dependency.ts";

test("a site waits for its store and ignores a Ready condition of an older generation", async () => {
  await using cluster = await testCluster({ kinds: [Store] });
  cluster.run(sites);
  await cluster.apply(Site, { name: "a", spec: { store: "s" } });
  expect(await cluster.untilSettled(Site, "a")).toHaveCondition("StoreReady", "False", { severity: "Warning" });

  const ready = (generation: number): Readonly<Record<string, unknown>> => ({
    observedGeneration: generation,
    url: `s3://${generation}`,
    conditions: [
      { type: "Ready", status: "True", reason: "Ready", message: "", lastTransitionTime: "2026-01-01T00:00:00Z" },
    ],
  });
  await cluster.apply(Store, { name: "s", spec: { gigabytes: 1 } });
  await cluster.patchStatus(Store, "s", ready(1));
  expect((await cluster.untilSettled(Site, "a")).status?.url).toBe("s3://1");

  await cluster.patch(Store, "s", { spec: { gigabytes: 2 } });
  const waiting = await cluster.untilSettled(Site, "a");
  expect(waiting).not.toBeReady();
  expect(waiting.status?.url).toBeUndefined();
  await cluster.patchStatus(Store, "s", ready(2));
  expect(await cluster.untilSettled(Site, "a")).toBeReady();
});
