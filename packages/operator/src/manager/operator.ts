import type { AnyCustomKind, Runnable } from "@levelset/core";
import { DeclarationError } from "@levelset/core";
import { Controller, logDefect } from "../controller/index.ts";
import type { HotLoopLimits, RunRecord, WatchRule } from "../controller/index.ts";
import { plan } from "../step/index.ts";
import type { Plan, Step } from "../step/index.ts";
import { runManaged } from "./managed.ts";
import type { AnyController, Managed, OperatorRuntime } from "./runtime.ts";

/** What may be said about an operator beside its kind and steps. */
export interface OperatorOptions<K extends AnyCustomKind = AnyCustomKind> {
  /** How many objects are reconciled at a time. Default: 4. */
  readonly concurrency?: number;
  /** Only objects of these namespaces. Default: all. */
  readonly namespaces?: readonly string[];
  /** Watches beside those that follow from the steps; see `mapping`. */
  readonly watches?: readonly WatchRule<K>[];
  /** A run that takes longer is aborted and counts as failed. Default: five minutes. */
  readonly deadlineMs?: number;
  /** When an object counts as written again and again. For kinds whose status tells of progress. */
  readonly hotLoop?: HotLoopLimits;
  /** Told of every run. */
  readonly onRun?: (record: RunRecord) => void;
}

/** Keeps every object of a kind at its declared level. Runs anywhere a World is: a test cluster, `levelset dev`, a real cluster. */
export interface Operator<K extends AnyCustomKind = AnyCustomKind> extends Runnable, Managed {
  readonly name: string;
  readonly kind: K;
  readonly plan: Plan<K>;
  readonly kinds: readonly AnyCustomKind[];
}

const CONCURRENCY = 4;
const DEADLINE_MS = 300_000;

/** Declares an operator: a kind and the steps that reconcile it. Contradictions between the steps are refused here. */
export function operator<K extends AnyCustomKind>(
  kind: K,
  steps: readonly Step<NoInfer<K>>[],
  options: OperatorOptions<K> = {},
): Operator<K> {
  const { concurrency = CONCURRENCY, deadlineMs = DEADLINE_MS, watches = [], namespaces, hotLoop, onRun } = options;
  if (!Number.isInteger(concurrency) || concurrency < 1) {
    throw new DeclarationError(`${kind.kind}: concurrency is a whole number from 1, not ${concurrency}`);
  }
  const checked = plan(kind, steps);
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
    needs: {
      kind,
      owns: checked.owns,
      reads: [...checked.reads, ...watches].map((followed) => followed.kind),
      rbac: checked.rbac,
      namespaces,
    },
    control,
    start: (world) => runManaged([own], world, {}),
  };
  return own;
}
