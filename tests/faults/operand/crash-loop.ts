import { ConfigMap, Deployment, isNotFound } from "@levelset/core";
import { randomInt } from "@levelset/core/internal";
import type { Random } from "@levelset/core";
import { isWrite, seededRandom } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { RunnableHandle, TestCluster } from "@levelset/apiserver/testing";
import { ClusterActiveOperand, Operand, operandManager } from "@levelset/operator";
import { expectNoObjects, expectReached } from "./expect-reached.ts";
import { NAMES, randomSpec } from "./random-specs.ts";
import { InvariantChecker } from "./invariants.ts";
import { WatchRecorder } from "./watch-recorder.ts";
import type { Spec } from "../../scenarios/operand/operands.ts";

/** Options of {@link runCrashLoop}. */
export interface CrashLoopOptions {
  readonly seed: number;
  readonly specChanges: number;
  /** Returns the number of writes before a process crashes: 1 crashes after each write. */
  readonly writesBeforeCrash: (random: Random) => number;
  /** Delay of watch events. */
  readonly lagMs?: number;
}

/** Result of a crash loop. */
export interface CrashLoopReport {
  readonly crashes: number;
  readonly events: number;
}

/** More crashes than any change needs to complete. */
const CRASHES_MAX = 2_000;
/** Longer than any retry delay. */
const TIMEOUT_MS = 120_000;

/**
 * Changes the specs of several Operands at random, while every process of the controller crashes after one or a few
 * writes, and an invariant checker observes. Checks that the last specs are reached, and that no objects are left after
 * the Operands are deleted.
 */
export async function runCrashLoop(options: CrashLoopOptions): Promise<CrashLoopReport> {
  await using loop = await CrashLoop.begin(options);
  for (let flip = 0; flip < options.specChanges; flip++) {
    await loop.flip();
    for (let step = randomInt(loop.random, 0, 15); step > 0; step--) await loop.step();
  }
  await loop.calm();
  await loop.checkEnd();
  await loop.deleteAll();
  await loop.calm();
  await loop.checkNothingLeft();
  return loop.report();
}

/** Consecutive processes of a controller. */
class CrashLoop implements AsyncDisposable {
  readonly random: Random;
  readonly #options: CrashLoopOptions;
  readonly #cluster: TestCluster;
  readonly #observer: WatchRecorder;
  readonly #checker = new InvariantChecker();
  readonly #specs = new Map<string, Spec>();
  #running: RunnableHandle;
  #crashes = 0;

  private constructor(options: CrashLoopOptions, cluster: TestCluster, observer: WatchRecorder) {
    this.#options = options;
    this.random = seededRandom(options.seed);
    this.#cluster = cluster;
    this.#observer = observer;
    cluster.faults.delayResponses(options.lagMs ?? 0);
    this.#running = this.#start();
  }

  static async begin(options: CrashLoopOptions): Promise<CrashLoop> {
    const cluster = await testCluster({ seed: options.seed, kinds: operandManager().kinds ?? [] });
    const observer = await WatchRecorder.of(cluster.fetch, [Operand, ClusterActiveOperand, ConfigMap, Deployment]);
    return new CrashLoop(options, cluster, observer);
  }

  report(): CrashLoopReport {
    return { crashes: this.#crashes, events: this.#checker.events };
  }

  /** Changes one Operand; sometimes deletes and recreates it, or makes a Deployment available. */
  async flip(): Promise<void> {
    const name = NAMES[randomInt(this.random, 0, NAMES.length - 1)] ?? "";
    const there = await this.#cluster.get(Operand, name);
    const chance = this.random.next();
    if (there === undefined) await this.#ask(name);
    else if (there.metadata.deletionTimestamp !== undefined) return;
    else if (chance < 0.06) await this.#delete(name);
    else {
      const spec = chance < 0.12 ? this.#specs.get(name) : randomSpec(this.random, name);
      this.#specs.set(name, spec ?? {});
      await this.#cluster.patch(Operand, name, { spec: { ...spec } });
    }
    if (this.random.next() < 0.5) await this.#makeAvailable(0.5);
  }

  /** Runs the process until it crashes or is idle; then advances the clock. */
  async step(): Promise<"died" | "idle"> {
    await this.#cluster.untilIdle();
    this.#look();
    if (!this.#cluster.faults.isCrashed) {
      await this.#cluster.clock.advance(1_000);
      await this.#cluster.untilIdle();
      this.#look();
    }
    if (!this.#cluster.faults.isCrashed) return "idle";
    await this.#running.stop();
    this.#cluster.faults.restart();
    this.#running = this.#start();
    this.#crashes++;
    return "died";
  }

  /** Runs until all work is done, with crashes. */
  async calm(): Promise<void> {
    let idleMs = 0;
    for (const first = this.#crashes; idleMs < TIMEOUT_MS;) {
      await this.#makeAvailable(1);
      const writes = this.#cluster.faults.count(isWrite);
      const step = await this.step();
      idleMs = step === "idle" && writes === this.#cluster.faults.count(isWrite) ? idleMs + 1_000 : 0;
      if (this.#crashes - first > CRASHES_MAX) throw new Error(`it does not settle: ${await this.#reported()}`);
    }
  }

  checkEnd(): Promise<void> {
    return expectReached((kind) => this.#cluster.list(kind), this.#specs);
  }

  async deleteAll(): Promise<void> {
    for (const { metadata } of await this.#cluster.list(Operand)) await this.#cluster.delete(Operand, metadata.name);
  }

  checkNothingLeft(): Promise<void> {
    return expectNoObjects((kind) => this.#cluster.list(kind));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#observer.close();
    await this.#cluster[Symbol.asyncDispose]();
  }

  #start(): RunnableHandle {
    const { faults } = this.#cluster;
    faults.failNth(this.#options.writesBeforeCrash(this.random), { kind: "crash" }, isWrite);
    const operands = operandManager();
    // Without its kinds, which exist already.
    return this.#cluster.run({ name: operands.name, start: (world) => operands.start(world) });
  }

  #look(): void {
    try {
      this.#checker.observe(this.#observer.take());
    } catch (error) {
      throw new Error(`seed ${this.#options.seed}, after ${this.#crashes} crashes: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }

  async #ask(name: string): Promise<void> {
    const spec = randomSpec(this.random, name);
    this.#specs.set(name, spec);
    await this.#cluster.create(Operand, { name, spec });
  }

  async #delete(name: string): Promise<void> {
    this.#specs.delete(name);
    await this.#cluster.delete(Operand, name);
  }

  /** Simulates kube-controller-manager for some of the Deployments that are not available. */
  async #makeAvailable(chance: number): Promise<void> {
    for (const { metadata, status } of await this.#cluster.list(Deployment)) {
      if (status?.observedGeneration === metadata.generation || this.random.next() >= chance) continue;
      const counts = { replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 };
      const reported = { observedGeneration: metadata.generation, ...counts };
      try {
        await this.#cluster.patchStatus(Deployment, metadata.name, reported);
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    }
  }

  async #reported(): Promise<string> {
    const operands = await this.#cluster.list(Operand);
    const latest = this.#cluster.requests().filter(isWrite).slice(-6);
    return JSON.stringify([latest, operands.map(({ metadata, status }) => [metadata.name, status])]);
  }
}
