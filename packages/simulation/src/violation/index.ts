/** What a simulation finds: violated rules and differences between objects. Begin with `violation.ts`. */

export { differencesOf } from "./difference.ts";
export type { Difference } from "./difference.ts";
export { isRule, oracleOf, RULES } from "./violation.ts";
export type { Violation, Oracle, SimulationRule } from "./violation.ts";
