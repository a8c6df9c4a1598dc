import { onRealCluster } from "../../support/real-cluster.ts";
import { adapterOwnershipContract } from "./adapter-ownership.ts";

await onRealCluster("objects of adapters on a real kube-apiserver", (start) => {
  adapterOwnershipContract("a real kube-apiserver", () => start());
});
