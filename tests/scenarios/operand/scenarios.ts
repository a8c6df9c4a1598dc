import type { Scenarios } from "../../support/cluster/scenario.ts";
import { ADOPTION } from "./adoption.ts";
import { OVERRIDES } from "./overrides.ts";
import { FIRST_INSTALL } from "./first-install.ts";
import { HEALTH_GATE } from "./health-gate.ts";
import { JOBS } from "./jobs.ts";
import { DELETION_ORDER } from "./deletion-order.ts";
import { OPERAND_DELETION } from "./deletion.ts";
import { PRUNE_RACES } from "./prune-races.ts";
import { OBJECTS } from "./objects.ts";
import { OPTIONS } from "./options.ts";
import { PHASES } from "./phases.ts";
import { VERSIONS } from "./versions.ts";
import { DRIFT } from "./drift.ts";

/** Scenarios that must hold for Operands on any cluster. */
export const SCENARIOS: Scenarios = {
  ...FIRST_INSTALL,
  ...PHASES,
  ...HEALTH_GATE,
  ...OVERRIDES,
  ...JOBS,
  ...VERSIONS,
  ...OPERAND_DELETION,
  ...DELETION_ORDER,
  ...OBJECTS,
  ...ADOPTION,
  ...OPTIONS,
  ...DRIFT,
  ...PRUNE_RACES,
};
