import { testCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { expect, test } from "vitest";
import { Ratio, ratios, Share, shares } from "./generic-step.ts";

test("one step serves two kinds and passes its output to the next step", async () => {
  await using cluster = await testCluster();
  cluster.run(shares);
  cluster.run(ratios);
  await cluster.apply(Share, { name: "a", spec: { total: 10, divisor: 4 } });
  await cluster.apply(Ratio, { name: "a", spec: { dividend: 1, divisor: 0 } });
  const share = await cluster.untilSettled(Share, "a");
  expect(share).toBeReady();
  expect(share.status?.each).toBe(2.5);
  expect(await cluster.untilSettled(Ratio, "a")).toHaveCondition("InputReady", "False", {
    message: "division by zero",
  });
});
