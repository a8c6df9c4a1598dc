import type { CoverageJson } from "@levelset/simulation/internal";

/** Coverage of no seed. */
export const NO_COVERAGE: CoverageJson = { phases: [], fields: [], faults: [], operations: [], phaseFaults: [] };

/** Returns what a later state of a counter has more than an earlier one. */
export function coverageDelta(earlier: CoverageJson, later: CoverageJson): CoverageJson {
  return {
    phases: added(earlier.phases, later.phases),
    fields: added(earlier.fields, later.fields),
    phaseFaults: added(earlier.phaseFaults, later.phaseFaults),
    faults: counted(earlier.faults, later.faults),
    operations: counted(earlier.operations, later.operations),
  };
}

function added(earlier: readonly string[], later: readonly string[]): readonly string[] {
  const known = new Set(earlier);
  return later.filter((each) => !known.has(each));
}

function counted<Name extends string>(
  earlier: readonly (readonly [Name, number])[],
  later: readonly (readonly [Name, number])[],
): readonly (readonly [Name, number])[] {
  const known = new Map(earlier);
  return later.map(([name, count]) => [name, count - (known.get(name) ?? 0)] as const).filter(([, count]) => count > 0);
}
