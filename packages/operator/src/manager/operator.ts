import type { AnyCustomKind, Runnable, World } from "@levelset/core";
import { DeclarationError } from "@levelset/core";
import { Informer } from "../cache/index.ts";
import { Client } from "../client/index.ts";
import { Controller } from "../controller/index.ts";
import type { RunRecord } from "../controller/index.ts";
import { plan } from "../step/index.ts";
import type { Plan, Step } from "../step/index.ts";

/** What may be said about an operator beside its kind and steps. */
export interface OperatorOptions {
  /** How many objects are reconciled at a time. Default: 4. */
  readonly concurrency?: number;
  /** Only objects of this namespace. Default: all. */
  readonly namespace?: string;
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

/** Declares an operator: a kind and the steps that reconcile it. Contradictions between the steps are refused here. */
export function operator<K extends AnyCustomKind>(
  kind: K,
  steps: readonly Step<K>[],
  options: OperatorOptions = {},
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
  options: OperatorOptions & { readonly concurrency: number },
): Promise<void> {
  const { fetch, clock, random, signal } = world;
  const { kind } = checked;
  const logger = world.logger.with({ controller: kind.kind.toLowerCase() });
  const client = new Client({ fetch, fieldManager: `levelset-${kind.kind.toLowerCase()}` });
  const { namespace, concurrency, onRun } = options;
  const informer = new Informer({ client, kind, selection: { namespace }, clock, random, logger });
  const controller = new Controller({
    plan: checked,
    client,
    informer,
    clock,
    random,
    logger,
    concurrency,
    ...(onRun === undefined ? {} : { onRun }),
  });
  await Promise.all([informer.run(signal), controller.run(signal)]);
}
