import { ConfigMap, CustomResourceDefinition, Deployment, isReady } from "@levelset/core";
import type { Kind, NewOf } from "@levelset/core";
import { isWrite } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { RunnableHandle, TestCluster } from "@levelset/apiserver/testing";
import { Client, ClusterActiveOperand, Operand, operandManager } from "@levelset/operator";
import { expect, test } from "vitest";
import { finalizingOperator, gadgets } from "../../scenarios/operand/finalizing-operator.ts";
import { interceptFetch } from "../../support/intercept-fetch.ts";
import { kindName, InvariantChecker } from "./invariants.ts";
import type { ObservedEvent } from "./invariants.ts";
import { config, deployment } from "../../scenarios/operand/manifests.ts";
import { WatchRecorder } from "./watch-recorder.ts";
import type { Spec } from "../../scenarios/operand/operands.ts";

const { declaration, kind: Gadget, gadget } = gadgets("default");
// A manifest is an object of its kind, without the index signature.
const CRD = declaration as unknown as NewOf<typeof CustomResourceDefinition>;
/** More processes than any of these takes. */
const PROCESSES_MAX = 400;

const SET = [gadget("g"), deployment("default", "operator"), config("default", "x", { a: "1" }), declaration];
const FIRST: Spec = { checkDeploymentHealth: false, steadyState: SET };

/** Controllers of Operands that crash after each write, with the watches of an invariant checker. */
class CrashingControllers implements AsyncDisposable {
  readonly events: ObservedEvent[] = [];
  processes = 0;
  readonly #cluster: TestCluster;
  readonly #observer: WatchRecorder;
  readonly #checker = new InvariantChecker();
  #running: RunnableHandle | undefined;

  private constructor(cluster: TestCluster, observer: WatchRecorder) {
    this.#cluster = cluster;
    this.#observer = observer;
  }

  static async begin(): Promise<CrashingControllers> {
    const cluster = await testCluster({ seed: 7, kinds: operandManager().kinds ?? [] });
    // The checker watches custom resources from the beginning, so their CRD is created first; the set contains it as
    // well.
    await new Client({ fetch: cluster.fetch, fieldManager: "test" }).create(CustomResourceDefinition, CRD);
    await cluster.untilIdle();
    const kinds = [Operand, ClusterActiveOperand, CustomResourceDefinition, ConfigMap, Deployment, Gadget];
    const controllers = new CrashingControllers(cluster, await WatchRecorder.of(cluster.fetch, kinds));
    const operator = finalizingOperator({ kind: Gadget, namespace: "default", deployment: "operator" });
    // Does not crash with the controllers.
    cluster.run(interceptFetch(operator, (request) => cluster.fetch(request)));
    await cluster.create(Operand, { name: "a", spec: FIRST });
    // Crashes only later: the tests are about deletion, not installation.
    const installer = cluster.run({ name: "installer", start: (world) => operandManager().start(world) });
    for (let turn = 0; turn < 20 && !(await isInstalled(cluster)); turn++) await cluster.clock.advance(500);
    expect(await isInstalled(cluster)).toBe(true);
    await installer.stop();
    return controllers;
  }

  /** Runs one process after the other for one write each, until the condition holds. */
  async until(isDone: (cluster: TestCluster) => Promise<boolean>): Promise<void> {
    for (; !(await isDone(this.#cluster)); await this.#look()) {
      expect(this.processes, "processes").toBeLessThan(PROCESSES_MAX);
      const { faults } = this.#cluster;
      if (this.#running === undefined) this.#running = this.#start();
      await this.#cluster.untilIdle();
      if (!faults.isCrashed) await this.#cluster.clock.advance(1_000);
      await this.#cluster.untilIdle();
      if (!faults.isCrashed) continue;
      await this.#running.stop();
      faults.restart();
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

  #start(): RunnableHandle {
    this.processes++;
    this.#cluster.faults.failNth(1, { kind: "crash" }, isWrite);
    const operands = operandManager();
    return this.#cluster.run({ name: operands.name, start: (world) => operands.start(world) });
  }

  async #look(): Promise<void> {
    await this.#cluster.untilIdle();
    const seen = this.#observer.take();
    this.#checker.observe(seen);
    this.events.push(...seen);
  }
}

/** Returns the revision at which the last object of a kind and name was deleted, or its deletion was requested. */
function endOf(
  events: readonly ObservedEvent[],
  kind: Kind,
  name: string,
  isWanted: (event: ObservedEvent) => boolean,
): number {
  const ends = events.filter(
    (event) => event.kind === kindName(kind) && event.object.metadata.name === name && isWanted(event),
  );
  return Math.min(...ends.map(({ object }) => Number(object.metadata.resourceVersion)));
}

function expectOrder(events: readonly ObservedEvent[]): void {
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

test("crashes after each write of a deletion: the order and the invariants hold, and no objects are left", async () => {
  await using controllers = await CrashingControllers.begin();
  await controllers.cluster.delete(Operand, "a");
  await controllers.until(async (cluster) => (await cluster.get(Operand, "a")) === undefined);
  expect(controllers.processes).toBeGreaterThan(4);
  expectOrder(controllers.events);
  for (const kind of [ClusterActiveOperand, Gadget, Deployment])
    expect(await controllers.cluster.list<Kind>(kind)).toEqual([]);
});

test("crashes after each write of a foreground deletion: the Operand is gone after all its objects", async () => {
  await using controllers = await CrashingControllers.begin();
  const client = new Client({ fetch: controllers.cluster.fetch, fieldManager: "test" });
  await client.delete(Operand, { name: "a" }, { propagationPolicy: "Foreground" });
  await controllers.until(async (cluster) => {
    // The garbage collector keeps no order, so the operator that removes this finalizer may be gone already.
    const held = await cluster.get(Gadget, "g");
    if (held?.metadata.deletionTimestamp !== undefined && controllers.processes > 5) {
      await cluster.patch(Gadget, "g", { metadata: { finalizers: null } });
    }
    return (await cluster.get(Operand, "a")) === undefined;
  });
  const goneAt = (kind: Kind, name: string): number => endOf(controllers.events, kind, name, ({ isGone }) => isGone);
  const last = goneAt(Operand, "a");
  expect(goneAt(Gadget, "g"), "the custom resource").toBeLessThan(last);
  expect(goneAt(Deployment, "operator"), "the Deployment").toBeLessThan(last);
  expect(goneAt(ConfigMap, "x"), "the ConfigMap").toBeLessThan(last);
  expect(await controllers.cluster.list(ClusterActiveOperand)).toEqual([]);
});

test("crashes after each write of a prune: the order and the invariants hold, and the new set is installed", async () => {
  await using controllers = await CrashingControllers.begin();
  await controllers.cluster.patch(Operand, "a", { spec: { steadyState: [config("default", "y", { a: "1" })] } });
  await controllers.until(async (cluster) => {
    const operand = await cluster.get(Operand, "a");
    const isSame = operand?.status?.observedGeneration === operand?.metadata.generation;
    return operand !== undefined && isSame && isReady(operand) && operand.status?.pending === undefined;
  });
  expect(controllers.processes).toBeGreaterThan(8);
  expectOrder(controllers.events);
  expect(await controllers.cluster.list(Gadget)).toEqual([]);
  expect(await controllers.cluster.list(Deployment)).toEqual([]);
  expect(await controllers.cluster.get(ConfigMap, "y")).toBeDefined();
});
