import { ConfigMap, Deployment, isNotFound, randomInt } from "@levelset/core";
import type { Random } from "@levelset/core";
import { isWrite, seededRandom } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { Running, TestCluster } from "@levelset/apiserver/testing";
import { ClusterActiveOperand, Operand, operandManager } from "@levelset/operator";
import { expectNothing, expectReached } from "./end.ts";
import { NAMES, randomSpec } from "./flips.ts";
import { Witness } from "./invariants.ts";
import { Observer } from "./observer.ts";
import type { Spec } from "./operands.ts";

/** How a life is lived. */
export interface LifeOptions {
  readonly seed: number;
  readonly flips: number;
  /** Which write of a process is its last one: 1 kills after every single one. */
  readonly writesOfALife: (random: Random) => number;
  /** How late events of watches are. */
  readonly lagMs?: number;
}

/** What came of it. */
export interface LifeReport {
  readonly deaths: number;
  readonly events: number;
}

/** More processes than any flip needs to come to its end. */
const DEATHS_MAX = 2_000;
/** Longer than any delay between two tries. */
const PATIENCE_MS = 120_000;

/**
 * Flips the specs of several Operands at random, while every process of the controller dies after a write or a few, and a witness
 * checks what must always hold. In the end the last specs must have been reached, and when the Operands are deleted nothing is left.
 */
export async function liveAndDie(options: LifeOptions): Promise<LifeReport> {
  await using life = await Life.begin(options);
  for (let flip = 0; flip < options.flips; flip++) {
    await life.flip();
    for (let step = randomInt(life.random, 0, 15); step > 0; step--) await life.step();
  }
  await life.calm();
  await life.checkEnd();
  await life.deleteAll();
  await life.calm();
  await life.checkNothingLeft();
  return life.report();
}

/** The processes that a controller is, one after the other. */
class Life implements AsyncDisposable {
  readonly random: Random;
  readonly #options: LifeOptions;
  readonly #cluster: TestCluster;
  readonly #observer: Observer;
  readonly #witness = new Witness();
  readonly #specs = new Map<string, Spec>();
  #running: Running;
  #deaths = 0;

  private constructor(options: LifeOptions, cluster: TestCluster, observer: Observer) {
    this.#options = options;
    this.random = seededRandom(options.seed);
    this.#cluster = cluster;
    this.#observer = observer;
    cluster.faults.lag(options.lagMs ?? 0);
    this.#running = this.#start();
  }

  static async begin(options: LifeOptions): Promise<Life> {
    const cluster = await testCluster({ seed: options.seed, kinds: operandManager().kinds ?? [] });
    const observer = await Observer.of(cluster.fetch, [Operand, ClusterActiveOperand, ConfigMap, Deployment]);
    return new Life(options, cluster, observer);
  }

  report(): LifeReport {
    return { deaths: this.#deaths, events: this.#witness.events };
  }

  /** One Operand asks for something else; rarely it is deleted, to be asked for anew, or a Deployment becomes available. */
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

  /** Lets the process live until it dies or has nothing to do; then time passes. */
  async step(): Promise<"died" | "idle"> {
    await this.#cluster.rest();
    this.#look();
    if (!this.#cluster.faults.isCrashed) {
      await this.#cluster.clock.advance(1_000);
      await this.#cluster.rest();
      this.#look();
    }
    if (!this.#cluster.faults.isCrashed) return "idle";
    await this.#running.stop();
    this.#cluster.faults.revive();
    this.#running = this.#start();
    this.#deaths++;
    return "died";
  }

  /** Lets everything come to its end, still dying all the time. */
  async calm(): Promise<void> {
    let idleMs = 0;
    for (const first = this.#deaths; idleMs < PATIENCE_MS;) {
      await this.#makeAvailable(1);
      const writes = this.#cluster.faults.count(isWrite);
      const step = await this.step();
      idleMs = step === "idle" && writes === this.#cluster.faults.count(isWrite) ? idleMs + 1_000 : 0;
      if (this.#deaths - first > DEATHS_MAX) throw new Error(`it comes to no end: ${await this.#told()}`);
    }
  }

  checkEnd(): Promise<void> {
    return expectReached((kind) => this.#cluster.list(kind), this.#specs);
  }

  async deleteAll(): Promise<void> {
    for (const { metadata } of await this.#cluster.list(Operand)) await this.#cluster.delete(Operand, metadata.name);
  }

  checkNothingLeft(): Promise<void> {
    return expectNothing((kind) => this.#cluster.list(kind));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#observer.close();
    await this.#cluster[Symbol.asyncDispose]();
  }

  #start(): Running {
    const { faults } = this.#cluster;
    faults.failNth(this.#options.writesOfALife(this.random), { kind: "crash" }, isWrite);
    const operands = operandManager();
    // Without its kinds, which are there already.
    return this.#cluster.run({ name: operands.name, start: (world) => operands.start(world) });
  }

  #look(): void {
    try {
      this.#witness.look(this.#observer.take());
    } catch (error) {
      throw new Error(`seed ${this.#options.seed}, after ${this.#deaths} deaths: ${(error as Error).message}`, {
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

  /** Plays kube-controller-manager for some of the Deployments that are not available. */
  async #makeAvailable(chance: number): Promise<void> {
    for (const { metadata, status } of await this.#cluster.list(Deployment)) {
      if (status?.observedGeneration === metadata.generation || this.random.next() >= chance) continue;
      const counts = { replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 };
      const told = { observedGeneration: metadata.generation, ...counts };
      try {
        await this.#cluster.patchStatus(Deployment, metadata.name, told);
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    }
  }

  async #told(): Promise<string> {
    const operands = await this.#cluster.list(Operand);
    const latest = this.#cluster.requests().filter(isWrite).slice(-6);
    return JSON.stringify([latest, operands.map(({ metadata, status }) => [metadata.name, status])]);
  }
}
