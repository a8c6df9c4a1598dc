import { DeclarationError } from "@levelset/core";
import type { AnyCustomKind } from "@levelset/core";
import { ok, operator, step } from "@levelset/operator";
import type { Operator, RunRecord, Step } from "@levelset/operator";
import { FLEET_GROUP } from "./fleet-kind.ts";

/** Options of {@link adapter}. */
export interface AdapterOptions {
  /** When a run may be skipped; see `fresh`. Default: never. */
  readonly skipWhile?: Freshness;
  /** Number of resources reconciled concurrently. Default 4. */
  readonly concurrency?: number;
  /** Deadline of one run over all steps. Default 5 minutes. */
  readonly deadlineMs?: number;
}

/** How long a verdict stays valid. */
export interface Freshness {
  readonly ttlMs: number;
}

/** Skips runs while the last verdict is True, of the same generation and younger than this. */
export function fresh(ttlMs: number): Freshness {
  if (!(ttlMs > 0)) throw new DeclarationError(`fresh: ${ttlMs} is not a positive number of milliseconds`);
  return { ttlMs };
}

/** An adapter made of steps. */
export interface StepAdapter {
  readonly name: string;
  readonly kind: AnyCustomKind;
  readonly skipWhile: Freshness | undefined;
  /** Builds the operator that runs the steps and calls `onRun` after every run. */
  operator(onRun: (record: RunRecord) => void): Operator;
}

/**
 * Declares an adapter as a list of steps, on the same engine as an operator. The report is derived from the run:
 * Available is True when every step is ok, Unknown while one waits or the adapter could not determine the state, False
 * when the work failed. Finalized is True when cleanup is complete. Throws a DeclarationError.
 */
export function adapter<K extends AnyCustomKind>(
  kind: K,
  name: string,
  steps: readonly Step<NoInfer<K>>[],
  options: AdapterOptions = {},
): StepAdapter {
  const { skipWhile, concurrency, deadlineMs } = options;
  if (kind.group !== FLEET_GROUP)
    throw new DeclarationError(`${kind.kind} is not a fleet kind: declare it with fleetKind`);
  if (!/^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/u.test(name))
    throw new DeclarationError(`${JSON.stringify(name)} is not a valid adapter name`);
  // A cleanup step always exists, so there is always a finalizer and the completed cleanup is always reported.
  const last = step<K>(kind, "Finalize", { cleanup: () => ok() });
  const build = (onRun: (record: RunRecord) => void): Operator<K> =>
    operator(kind, [...steps, last], {
      onRun,
      ...(concurrency === undefined ? {} : { concurrency }),
      ...(deadlineMs === undefined ? {} : { deadlineMs }),
    });
  // Conflicting steps throw here, not at start.
  build(() => {});
  // The caller is not generic over the kind.
  return { name, kind, skipWhile, operator: build as unknown as StepAdapter["operator"] };
}
