import { silentLogger } from "@levelset/core";
import type { Clock } from "@levelset/core";
import { untilIdle, seededRandom } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import { Client } from "@levelset/operator";
import { pollUntil } from "../../../support/poll-until.ts";
import { FleetSystem } from "./fleet-system.ts";
import type { SystemOptions } from "./fleet-system.ts";
import type { SystemHarness } from "./system-harness.ts";

/** The time step while waiting. */
const STEP_MS = 100;
const EXPECT_MAX_MS = 120_000;
/** The number of rounds without activity that count as idle, and the maximum number of rounds. */
const QUIET_ROUNDS = 3;
const ROUNDS_MAX = 500;

/** Rounds to whole milliseconds like real clocks; a virtual clock has fractions after random delays. */
function wholeMilliseconds(clock: Clock): Clock {
  return {
    now: () => Math.floor(clock.now()),
    monotonic: () => clock.monotonic(),
    sleep: (ms, signal) => clock.sleep(ms, signal),
    after: (ms, run) => clock.after(ms, run),
  };
}

/** Options of {@link VirtualSystem}. */
export interface VirtualSystemOptions extends Pick<
  SystemOptions,
  "validation" | "jobTtlSeconds" | "through" | "onExchange"
> {
  /** Seed of ids and jitter. */
  readonly seed?: number;
}

/** A complete fleet with its cluster, in memory, under one virtual clock. */
export class VirtualSystem implements SystemHarness {
  readonly cluster: TestCluster;
  readonly system: FleetSystem;
  readonly kube: Client;
  readonly readyMaxMs = 2_000;

  private constructor(cluster: TestCluster, system: FleetSystem) {
    this.cluster = cluster;
    this.system = system;
    this.kube = new Client({ fetch: cluster.fetch, fieldManager: "test" });
  }

  static async open({ seed = 7, ...options }: VirtualSystemOptions = {}): Promise<VirtualSystem> {
    const cluster = await testCluster({ workloads: true, seed });
    const world = { clock: wholeMilliseconds(cluster.clock), random: seededRandom(seed), logger: silentLogger };
    const memory = { store: { kind: "sqlite", path: ":memory:" }, broker: { kind: "memory" } } as const;
    const system = await FleetSystem.start({ ...world, ...memory, ...options, cluster: cluster.faults.fetch });
    const harness = new VirtualSystem(cluster, system);
    await harness.untilIdle();
    return harness;
  }

  get now(): number {
    return this.cluster.clock.now();
  }

  /** Advances time and waits until the system is idle. */
  async advance(ms: number): Promise<void> {
    await this.cluster.clock.advance(ms);
    await this.untilIdle();
  }

  /** Waits until the system is idle without advancing time. */
  async untilIdle(): Promise<void> {
    const { responses, pulses } = this.system;
    let quiet = 0;
    for (let round = 0; quiet < QUIET_ROUNDS; round += 1) {
      if (round > ROUNDS_MAX) throw new Error(`the system does not become idle: ${responses.slice(-10).join(", ")}`);
      const before = responses.length + pulses.length;
      await this.cluster.untilIdle();
      await untilIdle();
      quiet = responses.length + pulses.length === before ? quiet + 1 : 0;
    }
  }

  async until(what: string, isMet: () => Promise<boolean>): Promise<number> {
    const start = this.now;
    await this.untilIdle();
    const clock = { now: () => this.now, sleep: (ms: number) => this.advance(ms) };
    await pollUntil(what, isMet, { clock, timeoutMs: EXPECT_MAX_MS, pollMs: STEP_MS });
    return this.now - start;
  }

  async advanceUntil<Out>(work: Promise<Out>): Promise<Out> {
    const state = { isOver: false };
    const over = (): boolean => (state.isOver = true);
    work.then(over, over);
    while (!state.isOver) await this.cluster.clock.advance(STEP_MS);
    return work;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.advanceUntil(this.system[Symbol.asyncDispose]());
    await this.cluster[Symbol.asyncDispose]();
  }
}
