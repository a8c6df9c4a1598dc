import { findAssets, startCluster } from "../../../../tools/envtest/index.ts";
import { tempDirectory } from "../../../support/temp-directory.ts";
import { workDirectory } from "./conformance-server.ts";
import type { ConformanceServer } from "./conformance-server.ts";

/**
 * Starts kube-apiserver with etcd and kube-controller-manager. Returns a sentence with the reason if they are
 * unavailable.
 */
export async function startKubeConformanceServer(): Promise<ConformanceServer | string> {
  const assets = await findAssets({ env: process.env });
  if (assets.kind === "absent") return assets.line;
  const files = await tempDirectory();
  const cluster = await startCluster({ assets, controllerManager: true });
  const stop = async (): Promise<void> => {
    await cluster.stop();
    await files[Symbol.asyncDispose]();
  };
  const { kubeconfig } = cluster;
  return {
    name: "real",
    access: cluster,
    kubeconfig,
    directory: await workDirectory(files.path),
    [Symbol.asyncDispose]: stop,
  };
}
