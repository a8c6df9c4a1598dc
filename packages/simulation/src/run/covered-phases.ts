import type { ObservedRun } from "../world/index.ts";

/** Returns the phases of steps that runs have reached, as `operator step phase`. */
export function coveredPhases(runs: readonly ObservedRun[]): ReadonlySet<string> {
  const phases = runs.flatMap(({ operator, record: { report } }) =>
    report.kind === "ran" ? report.steps.map(({ step, phase }) => `${operator} ${step} ${phase}`) : [],
  );
  return new Set(phases);
}
