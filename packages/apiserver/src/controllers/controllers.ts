import type { Clock, Logger, Random } from "@levelset/core";
import type { Registry } from "../registry/index.ts";
import { Actor } from "./actor.ts";
import { CatalogFollower } from "./catalog-follower.ts";
import type { Controller } from "./controller.ts";
import { CrdController } from "./crd-controller.ts";
import { Feed } from "./feed.ts";
import type { Change, Follower } from "./feed.ts";
import { GarbageCollector } from "./garbage-collector.ts";
import { NamespaceController } from "./namespace-controller.ts";
import { OwnerIndex } from "./owner-index.ts";
import { Recorder } from "./recorder.ts";
import { RootCa } from "./root-ca.ts";
import { ServiceAccountController } from "./service-account-controller.ts";
import { TtlController } from "./ttl-controller.ts";
import { WorkQueue } from "./work-queue.ts";
import { workloadControllers } from "./workload/index.ts";
import type { WorkloadOptions } from "./workload/index.ts";

/** Which controllers run behind a server. Namespaces and declared kinds are always cleaned up. */
export interface ControllerOptions {
  /** Whether objects without owners are collected, and deletions in the foreground and with orphans finish. Default true. */
  readonly garbageCollector?: boolean;
  /** Whether every namespace gets the service account `default`. Default false. */
  readonly serviceAccounts?: boolean;
  /** Whether finished Jobs with a time to live are deleted. Default true. */
  readonly ttlAfterFinished?: boolean;
  /** Whether workloads are simulated, and how. Default false. */
  readonly workloads?: boolean | WorkloadOptions;
}

/** The world of controllers. */
export interface ControllerWorld {
  readonly registry: Registry;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

/** Controllers that run. */
export interface RunningControllers {
  /** Puts a certificate authority, in PEM, into every namespace that gets a service account. */
  publishCa(ca: string): void;
  /** Starts nothing any more; what has begun ends by itself. */
  close(): void;
}

/** Starts controllers on what there is. The registry must have started. */
export function startControllers(world: ControllerWorld, options: ControllerOptions = {}): RunningControllers {
  const { registry, clock, logger } = world;
  const index = new OwnerIndex();
  const rootCa = new RootCa();
  const controllers = controllersOf(world, { index, rootCa }, options);
  const workers = controllers.map((controller) => new Worker(controller, { clock, logger }));
  const feed = new Feed({ store: registry.store, resources: () => registry.catalog.resources.map(({ id }) => id) }, [
    new CatalogFollower(registry.catalog),
    index,
    ...workers,
  ]);
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
  world: ControllerWorld,
  { index, rootCa }: { readonly index: OwnerIndex; readonly rootCa: RootCa },
  options: ControllerOptions,
): readonly Controller[] {
  const { registry, clock } = world;
  const { garbageCollector = true, serviceAccounts = false, ttlAfterFinished = true, workloads = false } = options;
  const actor = new Actor(registry);
  const recorder = new Recorder({ ...world, actor });
  return [
    new NamespaceController({ registry, clock }),
    new CrdController({ registry, clock }),
    ...(garbageCollector ? [new GarbageCollector({ registry, index, recorder })] : []),
    ...(serviceAccounts ? [new ServiceAccountController({ actor, rootCa })] : []),
    ...(ttlAfterFinished ? [new TtlController({ actor, clock })] : []),
    ...(workloads === false
      ? []
      : workloadControllers({ ...world, actor, index, recorder }, workloads === true ? {} : workloads)),
  ];
}

/** A controller and the keys that wait for it. */
class Worker implements Follower {
  readonly #controller: Controller;
  readonly #queue: WorkQueue;

  constructor(controller: Controller, { clock, logger }: { readonly clock: Clock; readonly logger: Logger }) {
    this.#controller = controller;
    const work = (key: string): Promise<number | undefined> => controller.sync(key);
    this.#queue = new WorkQueue({ name: controller.name, clock, logger, work });
    controller.onWish?.((key) => this.#queue.add(key));
  }

  reset(): void {}

  follow(change: Change): void {
    for (const key of this.#controller.affected(change)) this.#queue.add(key);
  }

  close(): void {
    this.#queue.close();
  }
}
