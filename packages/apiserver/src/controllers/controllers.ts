import type { Clock, Logger, Random } from "@levelset/core";
import type { Registry } from "../registry/index.ts";
import { ControllerClient } from "./controller-client.ts";
import { CatalogUpdater } from "./catalog-updater.ts";
import type { BuiltinController } from "./controller.ts";
import { CrdController } from "./crd-controller.ts";
import { ChangeFeed } from "./change-feed.ts";
import type { RecordChange, RecordChangeHandler } from "./change-feed.ts";
import { GarbageCollector } from "./garbage-collector.ts";
import type { GarbageCollectionOptions } from "./garbage-collector.ts";
import { NamespaceController } from "./namespace-controller.ts";
import { OwnerIndex } from "./owner-index.ts";
import { ControllerEventRecorder } from "./event-recorder.ts";
import { RootCa } from "./root-ca.ts";
import { ServiceAccountController } from "./service-account-controller.ts";
import { TtlAfterFinishedController } from "./ttl-after-finished-controller.ts";
import { WorkQueue } from "./work-queue.ts";
import { workloadControllers } from "./workload/workloads.ts";
import type { WorkloadSimulationOptions } from "./workload/workloads.ts";

/** Selects the built-in controllers. Namespaces and CRDs are always finalized. */
export interface BuiltinControllerOptions {
  /** Garbage collection of dependents, including foreground and orphan deletion, optionally with settings. Default true. */
  readonly garbageCollector?: boolean | GarbageCollectionOptions;
  /** Creates the service account `default` in every namespace. Default false. */
  readonly serviceAccounts?: boolean;
  /** Deletes finished Jobs with `ttlSecondsAfterFinished`. Default true. */
  readonly ttlAfterFinished?: boolean;
  /** Simulates workloads, optionally with settings. Default false. */
  readonly workloads?: boolean | WorkloadSimulationOptions;
}

/** Dependencies of the controllers. */
export interface ControllerContext {
  readonly registry: Registry;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

/** Running controllers. */
export interface ControllerManager {
  /** Publishes a CA certificate (PEM) in every namespace that gets a service account. */
  publishCa(ca: string): void;
  /** Stops starting new syncs. Running syncs finish by themselves. */
  close(): void;
}

/** Starts controllers on the current objects. The registry must be started. */
export function startControllers(
  context: ControllerContext,
  options: BuiltinControllerOptions = {},
): ControllerManager {
  const { registry, clock, logger } = context;
  const index = new OwnerIndex();
  const rootCa = new RootCa();
  const controllers = controllersOf(context, { index, rootCa }, options);
  const workers = controllers.map((controller) => new Worker(controller, { clock, logger }));
  const feed = new ChangeFeed(
    { store: registry.store, resources: () => registry.catalog.resources.map(({ id }) => id) },
    [new CatalogUpdater(registry.catalog), index, ...workers],
  );
  feed.start();
  return {
    publishCa: (ca) => rootCa.publish(ca),
    close: () => {
      feed.close();
      for (const worker of workers) worker.close();
    },
  };
}

function controllersOf(
  context: ControllerContext,
  { index, rootCa }: { readonly index: OwnerIndex; readonly rootCa: RootCa },
  options: BuiltinControllerOptions,
): readonly BuiltinController[] {
  const { registry, clock } = context;
  const { garbageCollector = true, serviceAccounts = false, ttlAfterFinished = true, workloads = false } = options;
  const actor = new ControllerClient(registry);
  const recorder = new ControllerEventRecorder({ ...context, actor });
  return [
    new NamespaceController({ registry, clock }),
    new CrdController({ registry, clock }),
    ...(garbageCollector === false
      ? []
      : [
          new GarbageCollector({
            registry,
            clock,
            index,
            recorder,
            ...(garbageCollector === true ? {} : garbageCollector),
          }),
        ]),
    ...(serviceAccounts ? [new ServiceAccountController({ actor, rootCa })] : []),
    ...(ttlAfterFinished ? [new TtlAfterFinishedController({ actor, clock })] : []),
    ...(workloads === false
      ? []
      : workloadControllers({ ...context, client: actor, index, recorder }, workloads === true ? {} : workloads)),
  ];
}

/** A controller and its work queue. */
class Worker implements RecordChangeHandler {
  readonly #controller: BuiltinController;
  readonly #queue: WorkQueue;

  constructor(controller: BuiltinController, { clock, logger }: { readonly clock: Clock; readonly logger: Logger }) {
    this.#controller = controller;
    const work = (key: string): Promise<number | undefined> => controller.sync(key);
    this.#queue = new WorkQueue({ name: controller.name, clock, logger, work });
    controller.setEnqueue?.((key) => this.#queue.add(key));
  }

  onReset(): void {}

  onChange(change: RecordChange): void {
    for (const key of this.#controller.affectedKeys(change)) this.#queue.add(key);
  }

  close(): void {
    this.#queue.close();
  }
}
