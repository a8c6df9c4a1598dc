import type { AnyCustomKind, Runnable } from "@levelset/core";
import { DeclarationError } from "@levelset/core";
import { ApplyCache } from "../apply/index.ts";
import { Controller, logDefect } from "../controller/index.ts";
import type { HotLoopLimits, RunRecord, WatchRule } from "../controller/index.ts";
import { planSteps } from "../engine/index.ts";
import type { DeriveStatus, StepPlan, Step } from "../engine/index.ts";
import { runOperators } from "./run-operators.ts";
import type { AnyController, ManagedOperator, OperatorRuntime } from "./runtime.ts";

/** Options of an operator. */
export interface OperatorOptions<K extends AnyCustomKind = AnyCustomKind> {
  /** Maximum number of objects that are reconciled concurrently. Default: 4. */
  readonly concurrency?: number;
  /** Only objects of these namespaces. Default: all. */
  readonly namespaces?: readonly string[];
  /** Watches in addition to those derived from the steps; see `enqueueFromMap`. */
  readonly watches?: readonly WatchRule<K>[];
  /** A run that takes longer is aborted and counts as failed. Default: five minutes. */
  readonly deadlineMs?: number;
  /** Limits of the hot-loop guard. Raise them for kinds whose status reports progress. */
  readonly hotLoop?: HotLoopLimits;
  /** Computes status fields from the conditions, such as a state for a printer column. */
  readonly deriveStatus?: DeriveStatus<K>;
  /** Called after every run. */
  readonly onRun?: (record: RunRecord) => void;
}

/** Reconciles every object of a kind. Runs on a test cluster, with `levelset dev`, or on a Kubernetes cluster. */
export interface Operator<K extends AnyCustomKind = AnyCustomKind> extends Runnable, ManagedOperator {
  readonly name: string;
  readonly kind: K;
  readonly plan: StepPlan<K>;
  readonly kinds: readonly AnyCustomKind[];
}

const CONCURRENCY = 4;
const DEADLINE_MS = 300_000;
/** Maximum number of remembered children with normalized values. An evicted one costs one apply without changes. */
const CHILDREN_MAX = 10_000;

/**
 * Declares an operator: a kind and the steps that reconcile it. Throws a `DeclarationError` for contradictory steps.
 */
export function operator<K extends AnyCustomKind>(
  kind: K,
  steps: readonly Step<NoInfer<K>>[],
  options: OperatorOptions<K> = {},
): Operator<K> {
  const { concurrency = CONCURRENCY, deadlineMs = DEADLINE_MS, watches = [], namespaces, hotLoop, onRun } = options;
  if (!Number.isInteger(concurrency) || concurrency < 1) {
    throw new DeclarationError(`${kind.kind}: concurrency must be an integer of at least 1, not ${concurrency}`);
  }
  const checked = planSteps(kind, steps, options.deriveStatus);
  const name = kind.kind.toLowerCase();
  const control = (runtime: OperatorRuntime): AnyController => {
    const { listener } = runtime;
    const logger = runtime.logger.with({ controller: name });
    return new Controller({
      ...runtime,
      plan: checked,
      fieldManager: `levelset-${name}`,
      watches,
      namespaces: namespaces ?? runtime.namespaces,
      logger,
      // A new process starts without it, so no two processes of one declaration may share it.
      applyCache: new ApplyCache(CHILDREN_MAX),
      concurrency,
      deadlineMs,
      ...(hotLoop === undefined ? {} : { hotLoop }),
      listener: {
        ...listener,
        onRun: (record) => {
          listener.onRun?.(record);
          try {
            onRun?.(record);
          } catch (error) {
            logDefect(logger, "onRun", error);
          }
        },
      },
    });
  };
  const own: Operator<K> = {
    name,
    kind,
    plan: checked,
    kinds: [kind],
    rbac: {
      kind,
      owns: checked.owns,
      reads: [...checked.reads, ...watches].map((watched) => watched.kind),
      rbac: checked.rbac,
      namespaces,
    },
    createController: control,
    start: (world) => runOperators([own], world, {}),
  };
  return own;
}
