import { DeclarationError } from "@levelset/core";
import type { AnyCustomKind } from "@levelset/core";
import { ok, operator, step } from "@levelset/operator";
import type { Operator, RunRecord, Step } from "@levelset/operator";
import { FLEET_GROUP } from "./fleet-kind.ts";

/** What may be said about an adapter beside its kind, name and steps. */
export interface AdapterOptions {
  /** When a run may be left out, as `fresh` says. Default: never. */
  readonly skipWhile?: Freshness;
  /** How many resources are worked on at a time. Default 4. */
  readonly concurrency?: number;
  /** What the steps of a run may take together. Default 5 minutes. */
  readonly deadlineMs?: number;
}

/** How long a verdict is good for. */
export interface Freshness {
  readonly ttlMs: number;
}

/** A verdict of True at the same generation that is younger than this needs no new run. */
export function fresh(ttlMs: number): Freshness {
  if (!(ttlMs > 0)) throw new DeclarationError(`fresh: ${ttlMs} is no number of milliseconds above 0`);
  return { ttlMs };
}

/** An adapter that is made of steps. */
export interface StepAdapter {
  readonly name: string;
  readonly kind: AnyCustomKind;
  readonly skipWhile: Freshness | undefined;
  /** The operator that runs the steps; it tells `onRun` of every run. */
  operator(onRun: (record: RunRecord) => void): Operator;
}

/**
 * An adapter as a list of steps, on the same engine as an operator. Its report comes from the run itself: Available is True when every
 * step is ok, Unknown while one waits or the adapter could not judge, False when the work has failed; Finalized when cleanup is complete.
 */
export function adapter<K extends AnyCustomKind>(
  kind: K,
  name: string,
  steps: readonly Step<NoInfer<K>>[],
  options: AdapterOptions = {},
): StepAdapter {
  const { skipWhile, concurrency, deadlineMs } = options;
  if (kind.group !== FLEET_GROUP)
    throw new DeclarationError(`${kind.kind} is no kind of the fleet: declare it with fleetKind`);
  if (!/^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/u.test(name))
    throw new DeclarationError(`${JSON.stringify(name)} is no name of an adapter`);
  // Something to clean up there always is: the report that it is done. So there always is a finalizer.
  const last = step<K>(kind, "Finalize", { cleanup: () => ok() });
  const build = (onRun: (record: RunRecord) => void): Operator<K> =>
    operator(kind, [...steps, last], {
      onRun,
      ...(concurrency === undefined ? {} : { concurrency }),
      ...(deadlineMs === undefined ? {} : { deadlineMs }),
    });
  // Contradictions between the steps are refused here, not when it is started.
  build(() => {});
  // Who runs it looks at no types.
  return { name, kind, skipWhile, operator: build as unknown as StepAdapter["operator"] };
}
