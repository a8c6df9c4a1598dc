import type { ObjectOf } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster, TestClusterOptions } from "@levelset/apiserver/testing";
import { operator } from "../../manager/index.ts";
import type { Step } from "../../engine/index.ts";
import { App, migrate } from "./app.fixture.ts";

/** A settled cluster with an App whose operator runs these steps, before any time has passed. */
export async function started(
  spec: Readonly<Record<string, unknown>> = {},
  steps: readonly Step<App>[] = [migrate()],
  workloads: TestClusterOptions["workloads"] = true,
): Promise<TestCluster> {
  const cluster = await testCluster({ workloads });
  cluster.run(operator(App, steps));
  await cluster.apply(App, { name: "a", spec: { image: "web:1", ...spec } });
  await cluster.untilIdle();
  return cluster;
}

/** Returns the App some time later. */
export async function later(cluster: TestCluster, ms: number): Promise<ObjectOf<App>> {
  await cluster.clock.advance(ms);
  return cluster.untilSettled(App, "a");
}
