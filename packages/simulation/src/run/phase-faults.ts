import { faultName } from "../fault/index.ts";
import type { PlannedFault } from "../fault/index.ts";
import type { ObservedRun } from "../world/index.ts";
import { coveredPhases } from "./covered-phases.ts";

/** The parts of a cluster that count. Both lists only grow. */
export interface CountedCluster {
  readonly runs: readonly ObservedRun[];
  readonly faults: { readonly fired: readonly PlannedFault[] };
}

/** How long the lists were when an operation began. */
interface Mark {
  readonly runs: number;
  readonly fired: number;
}

/**
 * Records which phases ran while a fault lasted or its effects did: in the operation during which the fault occurred, and
 * in the next one.
 */
export class PhaseFaults {
  readonly #cluster: CountedCluster;
  readonly #marks: Mark[] = [];

  constructor(cluster: CountedCluster) {
    this.#cluster = cluster;
  }

  /** An operation begins. */
  begin(): void {
    const { runs, faults } = this.#cluster;
    this.#marks.push({ runs: runs.length, fired: faults.fired.length });
  }

  /** The cluster is at rest: faults of before have no effect on what follows. */
  rest(): void {
    this.begin();
    this.begin();
  }

  /** Returns `operator step phase fault` of all combinations so far. */
  pairs(): ReadonlySet<string> {
    const { runs, faults } = this.#cluster;
    const { fired } = faults;
    const pairs = this.#marks.flatMap((mark, index) => {
      const names = fired.slice(mark.fired, this.#marks[index + 1]?.fired).map(faultName);
      if (names.length === 0) return [];
      const phases = coveredPhases(runs.slice(mark.runs, this.#marks[index + 2]?.runs));
      return [...phases].flatMap((phase) => names.map((name) => phaseFault(phase, name)));
    });
    return new Set(pairs);
  }
}

/** Returns the name of a combination. */
export function phaseFault(phase: string, fault: string): string {
  return `${phase} ${fault}`;
}
