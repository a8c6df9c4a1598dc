import { fileURLToPath } from "node:url";
import { ConfigMap, Deployment, isNotFound, isReady, randomInt, realClock } from "@levelset/core";
import type { Kind, Random } from "@levelset/core";
import { seededRandom } from "@levelset/core/testing";
import { Client, installKind } from "@levelset/operator";
import { expect, test } from "vitest";
import { ClusterActiveOperand, Operand, operandManager } from "@levelset/operator";
import { TestProcess } from "../support/process.ts";
import { ROOT } from "../support/repository.ts";
import { embeddedTarget, session } from "../support/target.ts";
import type { Session, Target } from "../support/target.ts";
import { expectNothing, expectReached } from "./end.ts";
import { NAMES, randomSpec } from "./flips.ts";
import { Witness } from "./invariants.ts";
import { Observer } from "./observer.ts";
import type { Spec } from "./operands.ts";

const KILLS = 20;
/** A process needs about half a second to begin its work. */
const ALIVE_MS = { min: 500, max: 1_500 } as const;
const CONTROLLER = fileURLToPath(new URL("controller.ts", import.meta.url));

/** A server, a witness, and one controller after the other. */
class Scene implements AsyncDisposable {
  readonly specs = new Map<string, Spec>();
  readonly client: Client;
  readonly #target: Target;
  readonly #session: Session;
  readonly #observer: Observer;
  #controller: TestProcess;

  private constructor(target: Target, connected: Session, observer: Observer) {
    this.#target = target;
    this.#session = connected;
    this.#observer = observer;
    this.client = new Client({ fetch: connected.world.fetch, fieldManager: "test" });
    this.#controller = this.#start();
  }

  static async open(): Promise<Scene> {
    const target = await embeddedTarget();
    const connected = await session(target);
    const client = new Client({ fetch: connected.world.fetch, fieldManager: "test" });
    for (const kind of operandManager().kinds ?? []) await installKind(client, kind, connected.world);
    const kinds = [Operand, ClusterActiveOperand, ConfigMap, Deployment];
    return new Scene(target, connected, await Observer.of(connected.world.fetch, kinds));
  }

  #start(): TestProcess {
    const args = ["-C", "levelset-source", CONTROLLER, this.#target.kubeconfig];
    return new TestProcess(process.execPath, { args, cwd: ROOT });
  }

  /** Kills the controller with no chance to say good-bye, and starts another. */
  async kill(): Promise<void> {
    this.#controller.signal("SIGKILL");
    await this.#controller.ended();
    this.#controller = this.#start();
  }

  readonly list = async <K extends Kind>(kind: K) => (await this.client.list(kind)).items;

  async flip(random: Random, name: string): Promise<void> {
    const spec = randomSpec(random, name);
    this.specs.set(name, spec);
    const isThere = (await this.list(Operand)).some(({ metadata }) => metadata.name === name);
    if (isThere) await this.client.mergePatch(Operand, { name }, { spec });
    else await this.client.create(Operand, { metadata: { name }, spec });
  }

  /** Plays kube-controller-manager for some of the Deployments. */
  async makeAvailable(random: Random, chance: number): Promise<void> {
    for (const { metadata, status } of await this.list(Deployment)) {
      const { namespace = "", name, generation } = metadata;
      if (status?.observedGeneration === generation || random.next() >= chance) continue;
      const counts = { replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 };
      const patch = { status: { observedGeneration: generation, ...counts } };
      try {
        await this.client.mergePatch(Deployment, { namespace, name }, patch, { subresource: "status" });
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    }
  }

  async isReached(): Promise<boolean> {
    return (await this.list(Operand)).every((operand) => isReady(operand));
  }

  /** Lets a witness look at all that has happened; answers with how much that was. */
  witness(): number {
    const witness = new Witness();
    witness.look(this.#observer.take());
    return witness.events;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#controller[Symbol.asyncDispose]();
    await this.#observer.close();
    await this.#session[Symbol.asyncDispose]();
    await this.#target[Symbol.asyncDispose]();
  }
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = realClock.now() + 60_000;
  while (!(await isSo())) {
    if (realClock.now() > deadline) throw new Error(`after a minute still not: ${what}`);
    await realClock.sleep(100);
  }
}

test("50 · twenty times killed with -9 while specs flip: the invariants hold, the end is right, nothing is left", async () => {
  await using scene = await Scene.open();
  const random = seededRandom(50);
  let inVain = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    for (const name of NAMES) if (random.next() < 0.7) await scene.flip(random, name);
    await scene.makeAvailable(random, 0.5);
    await realClock.sleep(randomInt(random, ALIVE_MS.min, ALIVE_MS.max));
    if (await scene.isReached()) inVain++;
    await scene.kill();
  }
  await until("every Operand is ready", async () => {
    await scene.makeAvailable(random, 1);
    return scene.isReached();
  });
  await expectReached(scene.list, scene.specs);
  for (const { metadata } of await scene.list(Operand)) await scene.client.delete(Operand, { name: metadata.name });
  await until("every Operand is gone", async () => (await scene.list(Operand)).length === 0);
  await expectNothing(scene.list);
  const events = scene.witness();
  process.stderr.write(
    `operand, kill -9: ${KILLS} times, ${inVain} of them when all was done already; ${events} events\n`,
  );
  expect(inVain).toBeLessThan(KILLS / 2);
  expect(events).toBeGreaterThan(100);
}, 180_000);
