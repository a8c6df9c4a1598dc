import type { AnyCustomKind, Runnable, World } from "@levelset/core";
import { DeclarationError } from "@levelset/core";
import { Cache } from "../cache/index.ts";
import { Controller } from "../controller/index.ts";
import type { RunRecord, WatchRule } from "../controller/index.ts";
import { noEvents, plan } from "../step/index.ts";
import type { Plan, Step } from "../step/index.ts";

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
  /** Told of every run. */
  readonly onRun?: (record: RunRecord) => void;
}

/** Keeps every object of a kind at its declared level. Runs anywhere a World is: a test cluster, `levelset dev`, a real cluster. */
export interface Operator<K extends AnyCustomKind = AnyCustomKind> extends Runnable {
  readonly kind: K;
  readonly plan: Plan<K>;
  readonly kinds: readonly AnyCustomKind[];
}

const CONCURRENCY = 4;
const DEADLINE_MS = 300_000;

/** Declares an operator: a kind and the steps that reconcile it. Contradictions between the steps are refused here. */
export function operator<K extends AnyCustomKind>(
  kind: K,
  steps: readonly Step<K>[],
  options: OperatorOptions<K> = {},
): Operator<K> {
  const concurrency = options.concurrency ?? CONCURRENCY;
  if (!Number.isInteger(concurrency) || concurrency < 1) {
    throw new DeclarationError(`${kind.kind}: concurrency is a whole number from 1, not ${concurrency}`);
  }
  const checked = plan(kind, steps);
  return {
    name: kind.kind.toLowerCase(),
    kind,
    plan: checked,
    kinds: [kind],
    start: (world) => run(checked, world, { ...options, concurrency }),
  };
}

async function run<K extends AnyCustomKind>(
  checked: Plan<K>,
  world: World,
  options: OperatorOptions<K> & { readonly concurrency: number },
): Promise<void> {
  const { fetch, clock, random, signal } = world;
  const name = checked.kind.kind.toLowerCase();
  const logger = world.logger.with({ controller: name });
  const cache = new Cache({ fetch, clock, random, logger });
  const { namespaces, concurrency, onRun, watches = [], deadlineMs = DEADLINE_MS } = options;
  const controller = new Controller({
    plan: checked,
    cache,
    fieldManager: `levelset-${name}`,
    watches,
    namespaces,
    clock,
    random,
    logger,
    events: noEvents,
    concurrency,
    deadlineMs,
    listener: onRun === undefined ? {} : { onRun },
  });
  await controller.run(signal);
  controller.close();
  await cache.close();
}
