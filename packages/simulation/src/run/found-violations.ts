import type { Violation } from "../violation/index.ts";
import type { CapturedState } from "../world/index.ts";

/** A time of a run whose state comparisons are about. */
export type RestTime = "rest" | "restarted";

/** Collects the violations of a run, and the state of the cluster when each of them was found. */
export class FoundViolations {
  readonly #all: Violation[] = [];
  readonly #states = new Map<string, CapturedState>();
  readonly #capture: (() => CapturedState) | undefined;

  /** `capture` returns the current state. Without it, no states are kept. */
  constructor(capture: (() => CapturedState) | undefined) {
    this.#capture = capture;
  }

  get all(): readonly Violation[] {
    return this.#all;
  }

  add(...violations: readonly Violation[]): void {
    this.notice(() => violations);
    this.#all.push(...violations);
  }

  /** Keeps the state of violations that are added at the end of the run, if states are kept. */
  notice(find: () => readonly Violation[]): void {
    if (this.#capture === undefined) return;
    for (const violation of find()) this.#keep(keyOf(violation));
  }

  /** Keeps the state at rest, which violations are about that are found by comparison with another run. */
  reached(time: RestTime): void {
    this.#keep(time);
  }

  /** Returns the state when a violation was found for the first time; undefined if no states are kept. */
  stateOf(violation: Violation): CapturedState | undefined {
    const time: RestTime = violation.rule === "restart-changes-the-end" ? "restarted" : "rest";
    return this.#states.get(keyOf(violation)) ?? this.#states.get(time);
  }

  #keep(key: string): void {
    if (this.#capture !== undefined && !this.#states.has(key)) this.#states.set(key, this.#capture());
  }
}

function keyOf({ rule, object = "" }: Violation): string {
  return `${rule} ${object}`;
}
