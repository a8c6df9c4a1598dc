import { silentLogger } from "@levelset/core";
import type { Clock } from "@levelset/core";
import { atRest, seededRandom } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import { Client } from "@levelset/operator";
import { FleetSystem } from "./fleet-system.ts";
import type { SystemOptions } from "./fleet-system.ts";
import type { SystemPlace } from "./place.ts";

/** How far time goes at once while something is expected. */
const STEP_MS = 100;
const EXPECT_MAX_MS = 120_000;
/** Rounds in which nothing happened that count as rest, and how many there may be until then. */
const QUIET_ROUNDS = 3;
const ROUNDS_MAX = 500;

/** Real clocks have no fractions of a millisecond, but a virtual one does after a draw of chance. */
function wholeMilliseconds(clock: Clock): Clock {
  return {
    now: () => Math.floor(clock.now()),
    monotonic: () => clock.monotonic(),
    sleep: (ms, signal) => clock.sleep(ms, signal),
    after: (ms, run) => clock.after(ms, run),
  };
}

/** A whole fleet and the cluster in which its adapters work, in memory, under one virtual clock. */
export class VirtualPlace implements SystemPlace {
  readonly cluster: TestCluster;
  readonly system: FleetSystem;
  readonly kube: Client;
  readonly readyMaxMs = 2_000;

  private constructor(cluster: TestCluster, system: FleetSystem) {
    this.cluster = cluster;
    this.system = system;
    this.kube = new Client({ fetch: cluster.fetch, fieldManager: "test" });
  }

  static async open(options: Pick<SystemOptions, "validation" | "jobTtlSeconds"> = {}): Promise<VirtualPlace> {
    const cluster = await testCluster({ workloads: true });
    const world = { clock: wholeMilliseconds(cluster.clock), random: seededRandom(7), logger: silentLogger };
    const memory = { store: { kind: "sqlite", path: ":memory:" }, broker: { kind: "memory" } } as const;
    const system = await FleetSystem.open({ ...world, ...memory, ...options, cluster: cluster.faults.fetch });
    const place = new VirtualPlace(cluster, system);
    await place.rest();
    return place;
  }

  get now(): number {
    return this.cluster.clock.now();
  }

  /** Lets time pass, and what it brings come to an end. */
  async pass(ms: number): Promise<void> {
    await this.cluster.clock.advance(ms);
    await this.rest();
  }

  /** Until nothing happens any more without time passing. */
  async rest(): Promise<void> {
    const { answers, pulses } = this.system;
    let quiet = 0;
    for (let round = 0; quiet < QUIET_ROUNDS; round += 1) {
      if (round > ROUNDS_MAX) throw new Error(`it does not come to rest: ${answers.slice(-10).join(", ")}`);
      const before = answers.length + pulses.length;
      await this.cluster.rest();
      await atRest();
      quiet = answers.length + pulses.length === before ? quiet + 1 : 0;
    }
  }

  async until(what: string, holds: () => Promise<boolean>): Promise<number> {
    const start = this.now;
    await this.rest();
    while (!(await holds())) {
      if (this.now - start > EXPECT_MAX_MS) throw new Error(`it never came to pass: ${what}`);
      await this.pass(STEP_MS);
    }
    return this.now - start;
  }

  async ending<Out>(work: Promise<Out>): Promise<Out> {
    const state = { isOver: false };
    const over = (): boolean => (state.isOver = true);
    work.then(over, over);
    while (!state.isOver) await this.cluster.clock.advance(STEP_MS);
    return work;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.ending(this.system[Symbol.asyncDispose]());
    await this.cluster[Symbol.asyncDispose]();
  }
}
