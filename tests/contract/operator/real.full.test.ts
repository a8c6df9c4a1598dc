import { onRealCluster } from "../../support/real-cluster.ts";
import { runtimeContract } from "./runtime.ts";
import { simpleContract } from "./simple.ts";

await onRealCluster("operators on a real kube-apiserver", (start) => {
  simpleContract("a real kube-apiserver", start);
  runtimeContract("a real kube-apiserver", start);
});
