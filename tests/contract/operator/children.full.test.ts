import { onRealCluster } from "../../support/real-cluster.ts";
import { childrenContract } from "./children.ts";

await onRealCluster("children on a real kube-apiserver", (start) => {
  childrenContract("a real kube-apiserver", () => start());
});
