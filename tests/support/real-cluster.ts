import { describe, test } from "vitest";
import { findAssets, startCluster } from "../../tools/envtest/index.ts";
import type { ClusterOptions } from "../../tools/envtest/index.ts";
import type { Target } from "./target.ts";

/**
 * Defines a suite that needs a real Kubernetes. Where none can be had, one line says so and the suite counts as skipped, which the
 * full run in CI takes for a failure.
 */
export async function onRealCluster(
  suite: string,
  define: (
    start: (options?: Pick<ClusterOptions, "controllerManager" | "withoutControllers">) => Promise<Target>,
  ) => void,
): Promise<void> {
  const assets = await findAssets({ env: process.env });
  if (assets.kind === "found") {
    define((options) => startCluster({ assets, ...options }));
    return;
  }
  console.warn(assets.line);
  describe(suite, () => {
    test.skip("needs a real kube-apiserver", () => {});
  });
}
