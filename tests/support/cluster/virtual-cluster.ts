import type { AnyCustomKind, Runnable } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import type { RunnableHandle, TestCluster, TestClusterOptions } from "@levelset/apiserver/testing";
import { Cluster } from "./cluster.ts";

/** Step of the virtual clock while a test waits. */
const TICK_MS = 50;
/** Maximum virtual time that a test may wait: longer than the limit of every scenario. */
const EXPECT_MAX_MS = 600_000;

/** The embedded server in this process, under a virtual clock: every limit is exact. */
export class VirtualCluster extends Cluster {
  readonly #cluster: TestCluster;

  private constructor(cluster: TestCluster) {
    super({ namespace: "default", fetch: cluster.fetch, faults: cluster.faults, timeoutFactor: 1 });
    this.#cluster = cluster;
  }

  static async open(options: TestClusterOptions = {}): Promise<VirtualCluster> {
    return new VirtualCluster(await testCluster(options));
  }

  now(): number {
    return this.#cluster.clock.now();
  }

  install(kind: AnyCustomKind): Promise<void> {
    return this.#cluster.install(kind);
  }

  start(runnable: Runnable): RunnableHandle {
    return this.#cluster.run(runnable);
  }

  async advanceUntil<T>(promise: Promise<T>): Promise<T> {
    const state = { isSettled: false };
    const settle = (): boolean => (state.isSettled = true);
    promise.then(settle, settle);
    await this.#cluster.untilIdle();
    for (let ms = 0; !state.isSettled && ms < EXPECT_MAX_MS; ms += TICK_MS) await this.idle(TICK_MS);
    return await promise;
  }

  async idle(ms: number): Promise<void> {
    await this.#cluster.clock.advance(ms);
    await this.#cluster.untilIdle();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#cluster[Symbol.asyncDispose]();
  }
}
