import { SqliteStore } from "@levelset/apiserver";
import type { Store } from "@levelset/apiserver";
import { TestCluster } from "@levelset/apiserver/testing";
import type { RunnableHandle } from "@levelset/apiserver/testing";
import { crdOf, CustomResourceDefinition } from "@levelset/core";
import type { AnyCustomKind, Runnable } from "@levelset/core";
import { isWrite } from "@levelset/core/testing";
import type { RecordedRequest } from "@levelset/core/testing";
import { Client } from "@levelset/operator";

/** The equivalent of `levelset apiserver --data` in this process: a test cluster with a data file. */
export class DurableCluster extends TestCluster {
  /** A client of the test. */
  readonly client: Client = new Client({ fetch: this.fetch, fieldManager: "upgrade-test" });
  readonly #running: RunnableHandle[] = [];

  private constructor(seed: number, state: { readonly store: Store; readonly now?: number }) {
    super({ seed, workloads: true, controllers: { serviceAccounts: true } }, state);
  }

  /** Opens a data file; a missing one is created. `now` is the time at which its clock starts. */
  static async open(path: string, { seed = 1, ...time }: { readonly now?: number; readonly seed?: number } = {}) {
    const cluster = new DurableCluster(seed, { ...time, store: await SqliteStore.open({ path }) });
    await cluster.untilIdle();
    return cluster;
  }

  /** Applies the CRDs of kinds, as an operator does when it starts. */
  async applyCrds(kinds: readonly AnyCustomKind[]): Promise<void> {
    for (const kind of kinds) await this.client.apply(CustomResourceDefinition, crdOf(kind), { force: true });
    await this.untilIdle();
  }

  override run(runnable: Runnable): RunnableHandle {
    const running = super.run(runnable);
    this.#running.push(running);
    return running;
  }

  /** Returns every write of the processes under test, without writes of leases. */
  writeRequests(): readonly RecordedRequest[] {
    return this.requests().filter((request) => isWrite(request) && !request.path.includes("/leases"));
  }

  /** Advances the clock and runs all due work. */
  async pass(ms: number): Promise<void> {
    await this.untilIdle();
    await this.clock.advance(ms);
    await this.untilIdle();
  }

  /** Stops the processes under test. */
  async stopAll(): Promise<void> {
    for (const running of this.#running.splice(0)) await running.stop();
  }
}
