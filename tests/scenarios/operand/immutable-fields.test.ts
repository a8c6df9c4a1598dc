import { describeOnClusters, virtualClusters } from "../../support/cluster/scenario.ts";
import { IMMUTABLE } from "./immutable-fields.ts";

describeOnClusters("Immutable fields on the embedded server, under a virtual clock", IMMUTABLE, () =>
  virtualClusters(),
);
