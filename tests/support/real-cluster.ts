import { describe, test } from "vitest";
import { findAssets, startCluster } from "../../tools/envtest/index.ts";
import type { ClusterOptions } from "../../tools/envtest/index.ts";
import type { TestServer } from "./test-server.ts";

/**
 * Defines a suite that needs kube-apiserver. If it is not available, prints one line and skips the suite. The full run
 * in CI treats that as a failure where Go is installed.
 */
export async function onRealCluster(
  suite: string,
  define: (
    start: (options?: Pick<ClusterOptions, "controllerManager" | "withoutControllers">) => Promise<TestServer>,
  ) => void,
): Promise<void> {
  const assets = await findAssets({ env: process.env });
  if (assets.kind === "found") {
    define((options) => startCluster({ assets, ...options }));
    return;
  }
  console.warn(assets.line);
  describe(suite, () => {
    test.skip("needs kube-apiserver", () => {});
  });
}
