import { describeOnClusters, virtualClusters } from "../../support/cluster/scenario.ts";
import { SCENARIOS } from "./scenarios.ts";

describeOnClusters("Operands on the embedded server, under a virtual clock", SCENARIOS, () => virtualClusters());
