import { onRealCluster } from "../support/real-cluster.ts";
import { simpleContract } from "./simple.ts";

await onRealCluster("the Simple operator on a real kube-apiserver", (start) => {
  simpleContract("a real kube-apiserver", start);
});
