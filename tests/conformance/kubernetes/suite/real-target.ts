import { findAssets, startCluster } from "../../../../tools/envtest/index.ts";
import { scratch } from "../../../support/scratch.ts";
import { workDirectory } from "./target.ts";
import type { ConformanceTarget } from "./target.ts";

/** A real kube-apiserver with etcd and kube-controller-manager; or one sentence that says why there is none. */
export async function realTarget(): Promise<ConformanceTarget | string> {
  const assets = await findAssets({ env: process.env });
  if (assets.kind === "absent") return assets.line;
  const files = await scratch();
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
