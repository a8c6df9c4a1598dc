import { faultName } from "../fault/index.ts";
import type { Operation } from "../history/index.ts";
import { phaseFault } from "../run/index.ts";
import type { Case, RunResult } from "../run/index.ts";

/** What was covered, and what was not, of things that can be counted beforehand. */
export interface CoveredSet {
  readonly covered: readonly string[];
  readonly missing: readonly string[];
}

/** How many of a number of things were covered. */
export interface CoveredShare {
  readonly covered: number;
  readonly total: number;
}

/** How much of a program the histories of a campaign have reached. */
export interface Coverage {
  /** Steps and phases, as `kind Step do`. */
  readonly phases: CoveredSet;
  /** Fields of specs of which the server accepted a change. */
  readonly fields: CoveredSet;
  /** Fault → how often it occurred. Faults that can be drawn and have not occurred have 0. */
  readonly faults: Readonly<Record<string, number>>;
  /** Kind of operation → number of operations. */
  readonly operations: Readonly<Partial<Record<Operation["do"], number>>>;
  /** Combinations of a phase and a fault beside which it ran, of all phases and faults. */
  readonly phaseFaults: CoveredShare;
}

/** What a campaign could cover. */
export interface Coverable {
  readonly phases: readonly string[];
  readonly fields: readonly string[];
  readonly faults: readonly string[];
}

/** The parts of an examination that count. */
export interface CountedExamination {
  readonly case: Pick<Case, "history">;
  readonly run: Pick<RunResult, "covered" | "fired" | "phaseFaults" | "refused">;
}

/** Counts what histories cover. Counters of several processes can be merged. */
export class CoverageCounter {
  readonly #phases = new Set<string>();
  readonly #fields = new Set<string>();
  readonly #faults = new Map<string, number>();
  readonly #operations = new Map<Operation["do"], number>();
  readonly #phaseFaults = new Set<string>();

  add({ run, case: { history } }: CountedExamination): void {
    for (const phase of run.covered) this.#phases.add(phase);
    for (const each of run.phaseFaults) this.#phaseFaults.add(each);
    for (const name of run.fired.map(faultName)) this.#faults.set(name, (this.#faults.get(name) ?? 0) + 1);
    for (const [index, operation] of history.operations.entries()) {
      this.#operations.set(operation.do, (this.#operations.get(operation.do) ?? 0) + 1);
      if (operation.do === "change" && operation.path !== undefined && !run.refused.has(index)) {
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

  coverage({ phases, fields, faults }: Coverable): Coverage {
    return {
      phases: split(phases, this.#phases),
      fields: split(fields, this.#fields),
      faults: Object.fromEntries([...faults.map((name) => [name, 0] as const), ...this.#faults]),
      operations: Object.fromEntries(this.#operations),
      phaseFaults: shareOf(
        phases.flatMap((phase) => faults.map((name) => phaseFault(phase, name))),
        this.#phaseFaults,
      ),
    };
  }
}

/** A {@link CoverageCounter} as JSON. */
export interface CoverageJson {
  readonly phases: readonly string[];
  readonly fields: readonly string[];
  readonly faults: readonly (readonly [string, number])[];
  readonly operations: readonly (readonly [Operation["do"], number])[];
  readonly phaseFaults: readonly string[];
}

function split(all: readonly string[], seen: ReadonlySet<string>): CoveredSet {
  return { covered: all.filter((each) => seen.has(each)), missing: all.filter((each) => !seen.has(each)) };
}

function shareOf(all: readonly string[], seen: ReadonlySet<string>): CoveredShare {
  return { covered: split(all, seen).covered.length, total: all.length };
}

/** Returns a path without indexes: `spec.ports[].name`. */
function generalPath(path: string): string {
  return path.replaceAll(/\[\d+\]/gu, "[]");
}
