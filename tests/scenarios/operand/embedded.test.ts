import { virtualEnvironment } from "../../support/cluster/environments.ts";
import { describeOnCluster } from "../../support/cluster/scenario.ts";
import { SCENARIOS } from "./scenarios.ts";

describeOnCluster("Operands on the embedded server, under a virtual clock", SCENARIOS, () =>
  Promise.resolve({ open: () => virtualEnvironment(), [Symbol.asyncDispose]: () => Promise.resolve() }),
);
