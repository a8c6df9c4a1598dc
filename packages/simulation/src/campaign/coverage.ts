import type { FaultKind } from "../fault/index.ts";
import type { Operation } from "../history/index.ts";
import type { Examination } from "../run/index.ts";

/** What was covered, and what was not, of things that can be counted beforehand. */
export interface CoveredSet {
  readonly covered: readonly string[];
  readonly missing: readonly string[];
}

/** How much of a program the histories of a campaign have reached. */
export interface Coverage {
  /** Steps and phases, as `kind Step do`. */
  readonly phases: CoveredSet;
  /** Fields of specs that were changed. */
  readonly fields: CoveredSet;
  /** Kind of fault → number of faults. */
  readonly faults: Readonly<Partial<Record<FaultKind, number>>>;
  /** Kind of operation → number of operations. */
  readonly operations: Readonly<Partial<Record<Operation["do"], number>>>;
  /** Number of combinations of a phase and a kind of fault in one history. */
  readonly phaseFaults: number;
}

/** What a campaign could cover. */
export interface Coverable {
  readonly phases: readonly string[];
  readonly fields: readonly string[];
}

/** Counts what histories cover. Counters of several processes can be merged. */
export class CoverageCounter {
  readonly #phases = new Set<string>();
  readonly #fields = new Set<string>();
  readonly #faults = new Map<FaultKind, number>();
  readonly #operations = new Map<Operation["do"], number>();
  readonly #phaseFaults = new Set<string>();

  add({ run, case: { history, faults } }: Examination): void {
    for (const phase of run.covered) {
      this.#phases.add(phase);
      for (const { kind } of faults) this.#phaseFaults.add(`${phase} ${kind}`);
    }
    for (const { kind } of faults) this.#faults.set(kind, (this.#faults.get(kind) ?? 0) + 1);
    for (const operation of history.operations) {
      this.#operations.set(operation.do, (this.#operations.get(operation.do) ?? 0) + 1);
      if (operation.do === "change" && operation.path !== undefined) {
        this.#fields.add(`${operation.object.kind} ${generalPath(operation.path)}`);
      }
    }
  }

  /** Returns the counts as JSON, for another process. */
  toJSON(): CoverageJson {
    return {
      phases: [...this.#phases],
      fields: [...this.#fields],
      faults: [...this.#faults],
      operations: [...this.#operations],
      phaseFaults: [...this.#phaseFaults],
    };
  }

  merge(other: CoverageJson): void {
    for (const phase of other.phases) this.#phases.add(phase);
    for (const field of other.fields) this.#fields.add(field);
    for (const each of other.phaseFaults) this.#phaseFaults.add(each);
    for (const [kind, count] of other.faults) this.#faults.set(kind, (this.#faults.get(kind) ?? 0) + count);
    for (const [kind, count] of other.operations) this.#operations.set(kind, (this.#operations.get(kind) ?? 0) + count);
  }

  coverage({ phases, fields }: Coverable): Coverage {
    return {
      phases: split(phases, this.#phases),
      fields: split(fields, this.#fields),
      faults: Object.fromEntries(this.#faults),
      operations: Object.fromEntries(this.#operations),
      phaseFaults: this.#phaseFaults.size,
    };
  }
}

/** A {@link CoverageCounter} as JSON. */
export interface CoverageJson {
  readonly phases: readonly string[];
  readonly fields: readonly string[];
  readonly faults: readonly (readonly [FaultKind, number])[];
  readonly operations: readonly (readonly [Operation["do"], number])[];
  readonly phaseFaults: readonly string[];
}

function split(all: readonly string[], seen: ReadonlySet<string>): CoveredSet {
  return { covered: all.filter((each) => seen.has(each)), missing: all.filter((each) => !seen.has(each)) };
}

/** Returns a path without indexes: `spec.ports[].name`. */
function generalPath(path: string): string {
  return path.replaceAll(/\[\d+\]/gu, "[]");
}
