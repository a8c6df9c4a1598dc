import { describe, test } from "vitest";
import { findAssets, startCluster } from "../../tools/envtest/index.ts";
import { simpleContract } from "./simple.ts";

const assets = await findAssets({ env: process.env });
if (assets.kind === "found") {
  simpleContract("a real kube-apiserver", () => startCluster({ assets }));
} else {
  console.warn(assets.line);
  describe("the Simple operator on a real kube-apiserver", () => test.skip("needs a real kube-apiserver", () => {}));
}
