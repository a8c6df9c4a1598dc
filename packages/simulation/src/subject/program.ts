import type { Runnable } from "@levelset/core";
import type { ManagedOperator } from "@levelset/operator";

/** The services outside of the cluster that a program calls, as a test double. */
export interface ExternalWorld {
  /** The effects so far, oldest first, as `verb key`. Equal entries are one effect that was repeated. */
  calls(): readonly string[];
  /** The key of each resource that exists. Equal entries are several resources for one intent. */
  live(): readonly string[];
  /** The next call that has an effect fails: before the service handles it, or after. */
  failNext(fault: "refused" | "response-lost"): void;
  /** All faults end: no later call fails because of `failNext`. Without it, a fault that did not occur yet may do so later. */
  endFaults?(): void;
}

/** Operators that run in one process: one, several, or a manager. */
export type Operators = ManagedOperator | (Runnable & { readonly operators: readonly ManagedOperator[] });

/** A program in a new world, with the part of it that outlives processes. */
export interface Program {
  /** Returns the operators of a new process, which has no memory of earlier ones. */
  readonly start: () => Operators | readonly Operators[];
  readonly external?: ExternalWorld;
}

/**
 * What is simulated: operators, or a function that returns them. The function is called for every simulated process, so
 * that a process does not remember what an earlier one knew. It may return a `Program` instead, which is called once
 * for each simulated world.
 */
export type SimulatedProgram = Operators | readonly Operators[] | (() => Operators | readonly Operators[] | Program);

/** Returns a new world of a program. */
export function openProgram(program: SimulatedProgram): Program {
  if (typeof program !== "function") return { start: () => program };
  const first = program();
  if (isProgram(first)) return first;
  let isFirst = true;
  return {
    start: () => {
      const next = isFirst ? first : program();
      isFirst = false;
      return isProgram(next) ? next.start() : next;
    },
  };
}

/** Returns the operators of a new process. */
export function startOperators(program: Program): readonly ManagedOperator[] {
  return [program.start()].flat().flatMap((each) => ("operators" in each ? each.operators : [each]));
}

function isProgram(value: object): value is Program {
  return "start" in value && !("createController" in value) && !("operators" in value);
}
