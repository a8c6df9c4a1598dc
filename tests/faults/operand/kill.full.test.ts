import { fileURLToPath } from "node:url";
import { ConfigMap, Deployment, isNotFound, isReady } from "@levelset/core";
import { randomInt } from "@levelset/core/internal";
import type { Kind, Random } from "@levelset/core";
import { seededRandom } from "@levelset/core/testing";
import { Client, installCrd } from "@levelset/operator";
import { expect, test } from "vitest";
import { ClusterActiveOperand, Operand, operandManager } from "@levelset/operator";
import { eventually } from "../../support/eventually.ts";
import { TestProcess } from "../../support/test-process.ts";
import { ROOT } from "../../support/repository.ts";
import { startEmbeddedServer, connectSession } from "../../support/test-server.ts";
import type { ServerSession, TestServer } from "../../support/test-server.ts";
import { expectNoObjects, expectReached } from "./expect-reached.ts";
import { NAMES, randomSpec } from "./random-specs.ts";
import { InvariantChecker } from "./invariants.ts";
import { WatchRecorder } from "./watch-recorder.ts";
import type { Spec } from "../../scenarios/operand/operands.ts";

const KILLS = 20;
/** Maximum number of requests of a controller before it is killed. */
const REQUESTS_MAX = 60;
const SLOW = { timeoutMs: 120_000, pollMs: 50 };
const CONTROLLER = fileURLToPath(new URL("controller.ts", import.meta.url));

/** A server, an invariant checker, and one controller after the other. */
class Scenario implements AsyncDisposable {
  readonly specs = new Map<string, Spec>();
  readonly client: Client;
  readonly #target: TestServer;
  readonly #session: ServerSession;
  readonly #observer: WatchRecorder;
  #controller: TestProcess;

  private constructor(target: TestServer, connected: ServerSession, observer: WatchRecorder) {
    this.#target = target;
    this.#session = connected;
    this.#observer = observer;
    this.client = new Client({ fetch: connected.world.fetch, fieldManager: "test" });
    this.#controller = this.#start();
  }

  static async open(): Promise<Scenario> {
    const target = await startEmbeddedServer();
    const connected = await connectSession(target);
    const client = new Client({ fetch: connected.world.fetch, fieldManager: "test" });
    for (const kind of operandManager().kinds ?? []) await installCrd(client, kind, connected.world);
    const kinds = [Operand, ClusterActiveOperand, ConfigMap, Deployment];
    return new Scenario(target, connected, await WatchRecorder.of(connected.world.fetch, kinds));
  }

  #start(): TestProcess {
    const args = ["-C", "levelset-source", CONTROLLER, this.#target.kubeconfig];
    return new TestProcess(process.execPath, { args, cwd: ROOT });
  }

  /** Kills the controller with SIGKILL and starts another. */
  async kill(): Promise<void> {
    this.#controller.signal("SIGKILL");
    await this.#controller.untilExit();
    this.#controller = this.#start();
  }

  /** The number of requests of the controller since it was started. */
  get requests(): number {
    return this.#controller.output.split("\n").length - 1;
  }

  readonly list = async <K extends Kind>(kind: K) => (await this.client.list(kind)).items;

  async flip(random: Random, name: string): Promise<void> {
    const spec = randomSpec(random, name);
    this.specs.set(name, spec);
    const isThere = (await this.list(Operand)).some(({ metadata }) => metadata.name === name);
    if (isThere) await this.client.mergePatch(Operand, { name }, { spec });
    else await this.client.create(Operand, { metadata: { name }, spec });
  }

  /** Simulates kube-controller-manager for some of the Deployments. */
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

  /** Checks all new events; returns their number. */
  checkEvents(): number {
    const checker = new InvariantChecker();
    checker.observe(this.#observer.take());
    return checker.events;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#controller[Symbol.asyncDispose]();
    await this.#observer.close();
    await this.#session[Symbol.asyncDispose]();
    await this.#target[Symbol.asyncDispose]();
  }
}

test("twenty SIGKILLs while specs change: the invariants hold, the last specs are reached, no objects are left", async () => {
  await using scenario = await Scenario.open();
  const random = seededRandom(50);
  for (let kills = 0; kills < KILLS;) {
    for (const name of NAMES) if (random.next() < 0.7) await scenario.flip(random, name);
    const next = scenario.requests + randomInt(random, 1, REQUESTS_MAX);
    const isDue = async (): Promise<boolean> => {
      if (scenario.requests >= next) return true;
      await scenario.makeAvailable(random, 0.5);
      return scenario.isReached();
    };
    await eventually("the next kill is due", isDue, SLOW);
    // A kill counts only while there is work.
    if (await scenario.isReached()) continue;
    await scenario.kill();
    kills++;
  }
  await eventually(
    "every Operand is ready",
    async () => {
      await scenario.makeAvailable(random, 1);
      return scenario.isReached();
    },
    SLOW,
  );
  await expectReached(scenario.list, scenario.specs);
  for (const { metadata } of await scenario.list(Operand))
    await scenario.client.delete(Operand, { name: metadata.name });
  await eventually("every Operand is deleted", async () => (await scenario.list(Operand)).length === 0, SLOW);
  await expectNoObjects(scenario.list);
  const events = scenario.checkEvents();
  process.stderr.write(`operand, kill -9: ${KILLS} times; ${events} events\n`);
  expect(events).toBeGreaterThan(100);
});
