import { ConfigMap, CustomResourceDefinition, Deployment, isReady } from "@levelset/core";
import type { Kind, NewOf } from "@levelset/core";
import { isWrite } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { Running, TestCluster } from "@levelset/apiserver/testing";
import { Client, ClusterActiveOperand, Operand, operandManager } from "@levelset/operator";
import { expect, test } from "vitest";
import { finalizingOperator, gadgets } from "./finalizing-operator.ts";
import { kindName, Witness } from "./invariants.ts";
import type { SeenEvent } from "./invariants.ts";
import { config, deployment } from "./manifests.ts";
import { Observer } from "./observer.ts";
import type { Spec } from "./operands.ts";

const { declaration, kind: Gadget, gadget } = gadgets("default");
// A manifest is an object of its kind, without the index signature.
const CRD = declaration as unknown as NewOf<typeof CustomResourceDefinition>;
/** More processes than any of these takes. */
const LIVES_MAX = 400;

const SET = [gadget("g"), deployment("default", "operator"), config("default", "x", { a: "1" }), declaration];
const FIRST: Spec = { checkDeploymentHealth: false, steadyState: SET };

/** Controllers of Operands that die after every single write, and the watches of a witness. */
class Lives implements AsyncDisposable {
  readonly events: SeenEvent[] = [];
  lives = 0;
  readonly #cluster: TestCluster;
  readonly #observer: Observer;
  readonly #witness = new Witness();
  #running: Running | undefined;

  private constructor(cluster: TestCluster, observer: Observer) {
    this.#cluster = cluster;
    this.#observer = observer;
  }

  static async begin(): Promise<Lives> {
    const cluster = await testCluster({ seed: 7, kinds: operandManager().kinds ?? [] });
    // The witness watches them from the beginning, so their CRD is there before; the set has it as well.
    await new Client({ fetch: cluster.fetch, fieldManager: "test" }).create(CustomResourceDefinition, CRD);
    await cluster.rest();
    const kinds = [Operand, ClusterActiveOperand, CustomResourceDefinition, ConfigMap, Deployment, Gadget];
    const lives = new Lives(cluster, await Observer.of(cluster.fetch, kinds));
    const operator = finalizingOperator({ kind: Gadget, namespace: "default", deployment: "operator" });
    // It does not die with the controllers.
    cluster.run({ ...operator, start: (world) => operator.start({ ...world, fetch: cluster.fetch }) });
    await cluster.create(Operand, { name: "a", spec: FIRST });
    // A process that dies later: what is of interest is how the set goes.
    const installer = cluster.run({ name: "installer", start: (world) => operandManager().start(world) });
    for (let turn = 0; turn < 20 && !(await isInstalled(cluster)); turn++) await cluster.clock.advance(500);
    expect(await isInstalled(cluster)).toBe(true);
    await installer.stop();
    return lives;
  }

  /** Lets one process after the other do one write, until the state of the cluster is as wanted. */
  async until(isDone: (cluster: TestCluster) => Promise<boolean>): Promise<void> {
    for (; !(await isDone(this.#cluster)); await this.#look()) {
      expect(this.lives, "processes").toBeLessThan(LIVES_MAX);
      const { faults } = this.#cluster;
      if (this.#running === undefined) this.#running = this.#start();
      await this.#cluster.rest();
      if (!faults.isCrashed) await this.#cluster.clock.advance(1_000);
      await this.#cluster.rest();
      if (!faults.isCrashed) continue;
      await this.#running.stop();
      faults.revive();
      this.#running = undefined;
    }
  }

  get cluster(): TestCluster {
    return this.#cluster;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#observer.close();
    await this.#cluster[Symbol.asyncDispose]();
  }

  #start(): Running {
    this.lives++;
    this.#cluster.faults.failNth(1, { kind: "crash" }, isWrite);
    const operands = operandManager();
    return this.#cluster.run({ name: operands.name, start: (world) => operands.start(world) });
  }

  async #look(): Promise<void> {
    await this.#cluster.rest();
    const seen = this.#observer.take();
    this.#witness.look(seen);
    this.events.push(...seen);
  }
}

/** The revision at which the last object of a kind and name was deleted, or its deletion was asked for. */
function endOf(
  events: readonly SeenEvent[],
  kind: Kind,
  name: string,
  isWanted: (event: SeenEvent) => boolean,
): number {
  const ends = events.filter(
    (event) => event.kind === kindName(kind) && event.object.metadata.name === name && isWanted(event),
  );
  return Math.min(...ends.map(({ object }) => Number(object.metadata.resourceVersion)));
}

function expectOrder(events: readonly SeenEvent[]): void {
  const gone = endOf(events, Gadget, "g", ({ isGone }) => isGone);
  const touched = endOf(
    events,
    Deployment,
    "operator",
    ({ isGone, object }) => isGone || object.metadata.deletionTimestamp !== undefined,
  );
  expect(gone, "the custom resource is gone before the Deployment is deleted").toBeLessThan(touched);
}

async function isInstalled(cluster: TestCluster): Promise<boolean> {
  const operand = await cluster.get(Operand, "a");
  const isHeld = (await cluster.get(Gadget, "g"))?.metadata.finalizers?.length === 1;
  return operand !== undefined && isReady(operand) && isHeld;
}

test("killed after every single write of uninstalling: the order and the invariants hold, and nothing is left", async () => {
  await using lives = await Lives.begin();
  await lives.cluster.delete(Operand, "a");
  await lives.until(async (cluster) => (await cluster.get(Operand, "a")) === undefined);
  expect(lives.lives).toBeGreaterThan(4);
  expectOrder(lives.events);
  for (const kind of [ClusterActiveOperand, Gadget, Deployment])
    expect(await lives.cluster.list<Kind>(kind)).toEqual([]);
}, 60_000);

test("killed after every single write of pruning: the order and the invariants hold, and the new set is there", async () => {
  await using lives = await Lives.begin();
  await lives.cluster.patch(Operand, "a", { spec: { steadyState: [config("default", "y", { a: "1" })] } });
  await lives.until(async (cluster) => {
    const operand = await cluster.get(Operand, "a");
    const isSame = operand?.status?.observedGeneration === operand?.metadata.generation;
    return operand !== undefined && isSame && isReady(operand) && operand.status?.pending === undefined;
  });
  expect(lives.lives).toBeGreaterThan(8);
  expectOrder(lives.events);
  expect(await lives.cluster.list(Gadget)).toEqual([]);
  expect(await lives.cluster.list(Deployment)).toEqual([]);
  expect(await lives.cluster.get(ConfigMap, "y")).toBeDefined();
}, 60_000);
