/** Plans the upgrade of an operator on a copy of a cluster. Begin with `plan-upgrade.ts`. */

export { planUpgrade } from "./plan-upgrade.ts";
export type { PlanUpgradeOptions, RedactablePlan } from "./plan-upgrade.ts";
export { upgradePlanJson } from "./upgrade-plan-json.ts";
export { upgradePlanText } from "./upgrade-plan-text.ts";
export { changesAnything, hasRegression } from "./upgrade-plan.ts";
export type { UpgradePlan } from "./upgrade-plan.ts";
