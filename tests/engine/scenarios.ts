import { CONDITIONS } from "./conditions.ts";
import { DEFAULTS } from "./defaults.ts";
import { DELETION } from "./deletion.ts";
import { FAMILY } from "./family.ts";
import { INTERFERENCE } from "./interference.ts";
import { RESULTS } from "./results.ts";
import { RWEXTERNAL } from "./rwexternal.ts";
import type { Scenarios } from "./scenario.ts";
import { SIMPLE } from "./simple.ts";

/** Everything that must hold on any cluster. */
export const SCENARIOS: Scenarios = {
  ...SIMPLE,
  ...RWEXTERNAL,
  ...RESULTS,
  ...CONDITIONS,
  ...DELETION,
  ...DEFAULTS,
  ...FAMILY,
  ...INTERFERENCE,
};
