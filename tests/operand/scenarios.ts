import type { Scenarios } from "../engine/scenario.ts";
import { BIRTH } from "./birth.ts";
import { DELETION_ORDER } from "./deletion-order.ts";
import { ENDINGS } from "./endings.ts";
import { MOMENTS } from "./moments.ts";
import { OBJECTS } from "./objects.ts";
import { OPTIONS } from "./options.ts";
import { PHASES } from "./phases.ts";
import { VERSIONS } from "./versions.ts";
import { WISHES } from "./wishes.ts";

/** Everything that must hold for Operands on any cluster. */
export const SCENARIOS: Scenarios = {
  ...BIRTH,
  ...PHASES,
  ...VERSIONS,
  ...ENDINGS,
  ...DELETION_ORDER,
  ...OBJECTS,
  ...OPTIONS,
  ...WISHES,
  ...MOMENTS,
};
