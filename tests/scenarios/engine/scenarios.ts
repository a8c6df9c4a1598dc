import { CONDITIONS } from "./conditions.ts";
import { DEFAULTS } from "./defaults.ts";
import { DELETION } from "./deletion.ts";
import { OWNER_CHAIN } from "./owner-chain.ts";
import { INTERFERENCE } from "./interference.ts";
import { RESULTS } from "./results.ts";
import { RWEXTERNAL } from "./rwexternal.ts";
import type { Scenarios } from "../../support/cluster/scenario.ts";
import { SIMPLE } from "./simple.ts";

/** Scenarios that must hold on any cluster. */
export const SCENARIOS: Scenarios = {
  ...SIMPLE,
  ...RWEXTERNAL,
  ...RESULTS,
  ...CONDITIONS,
  ...DELETION,
  ...DEFAULTS,
  ...OWNER_CHAIN,
  ...INTERFERENCE,
};
