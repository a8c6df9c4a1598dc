import { stringifyJson } from "@levelset/core/internal";

/** How many smaller cases are tried. */
const ATTEMPTS_MAX = 80;
/** A pause that lets everything settle, and that readers need not think about. */
const PLAIN_PAUSE_MS = 60_000;

/** A case that can be shrunk: operations with the time after each, and faults with the operation during which they occur. */
export interface ShrinkableCase {
  readonly history: { readonly operations: readonly ShrinkableOperation[] };
  readonly faults: readonly ShrinkableFault[];
}

interface ShrinkableOperation {
  readonly do: string;
  readonly ms?: number;
  readonly afterMs: number;
}

interface ShrinkableFault {
  readonly at: number;
  /** An earlier operation that the fault refers to. */
  readonly back?: number;
  readonly downMs?: number;
}

/** The parts of a case that a smaller one replaces. */
type Parts = Partial<Pick<ShrinkableCase, "history" | "faults">>;

/**
 * Returns the smallest case that still fails: without faults and operations that do not matter, with plain pauses.
 * `fails` must give the same result for the same case.
 */
export async function shrinkCase<C extends ShrinkableCase>(
  start: C,
  fails: (smaller: C) => Promise<boolean>,
  signal?: AbortSignal,
): Promise<C> {
  let current = start;
  let attempts = 0;
  const refused = new Set<string>();
  for (let isSmaller = true; isSmaller;) {
    isSmaller = false;
    for (const parts of smallerParts(current)) {
      const candidate: C = { ...current, ...parts };
      const key = stringifyJson(candidate);
      if (attempts >= ATTEMPTS_MAX || signal?.aborted === true) return current;
      if (refused.has(key)) continue;
      attempts += 1;
      if (await fails(candidate)) {
        current = candidate;
        isSmaller = true;
        break;
      }
      refused.add(key);
    }
  }
  return current;
}

/** Returns the parts of the next smaller cases, the smallest first. */
function* smallerParts({ history, faults }: ShrinkableCase): Generator<Parts> {
  const { operations } = history;
  if (faults.length > 1) yield { faults: [] };
  for (const index of faults.keys()) yield { faults: faults.filter((_, at) => at !== index) };
  if (operations.length > 3) {
    const half = Math.ceil(operations.length / 2);
    yield withoutOperations(operations, faults, half, operations.length);
  }
  for (let index = operations.length - 1; index >= 0; index--)
    yield withoutOperations(operations, faults, index, index + 1);
  for (const [index, operation] of operations.entries()) {
    if (isStepBack(operation)) continue;
    for (const afterMs of [PLAIN_PAUSE_MS, 0]) {
      if (operation.afterMs === afterMs || (afterMs === 0 && operation.afterMs === PLAIN_PAUSE_MS)) continue;
      yield { history: { operations: operations.with(index, { ...operation, afterMs }) } };
    }
  }
  for (const [index, fault] of faults.entries()) {
    if (fault.downMs === undefined || fault.downMs === 0) continue;
    yield { faults: faults.with(index, { ...fault, downMs: 0 }) };
  }
}

/**
 * Reports whether the wall clock is stepped back. The pause after it makes the ages of objects equal to those of a new
 * cluster, with which the end is compared.
 */
function isStepBack({ do: act, ms = 0 }: ShrinkableOperation): boolean {
  return act === "step-clock" && ms < 0;
}

/** Removes the operations from `first` to before `end`. Their faults move to the operation that follows. */
function withoutOperations(
  operations: ShrinkableCase["history"]["operations"],
  faults: readonly ShrinkableFault[],
  first: number,
  end: number,
): Parts {
  const shift = (at: number): number => (at >= end ? at - (end - first) : Math.min(at, first));
  return {
    history: { operations: operations.filter((_, at) => at < first || at >= end) },
    faults: faults.map((fault) =>
      fault.back === undefined
        ? { ...fault, at: shift(fault.at) }
        : { ...fault, at: shift(fault.at), back: shift(fault.back) },
    ),
  };
}
