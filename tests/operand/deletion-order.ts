import { ConfigMap, Deployment, findCondition } from "@levelset/core";
import type { EmbeddedObject, Kind } from "@levelset/core";
import { ClusterActiveOperand, Operand } from "@levelset/operator";
import { expect } from "vitest";
import type { Scenarios } from "../engine/scenario.ts";
import type { Stage } from "../engine/stage.ts";
import { finalizingOperator, gadgets, HELD_BY } from "./finalizing-operator.ts";
import { config, deployment } from "./manifests.ts";
import { ask, change, condition, named, start, until, untilReady } from "./operands.ts";
import type { Spec } from "./operands.ts";
import { Seam } from "./seam.ts";

const OPERAND_MS = 20_000;
const CONFIG_MAPS: Kind = ConfigMap;

/** A set that holds an operator and an object that the operator finalizes. */
interface Held {
  readonly spec: Spec;
  /** The kind and name of the object that the operator finalizes. */
  readonly kind: Kind;
  readonly name: string;
}

/** Installs a set with its operator running, until the operator's finalizer is on the object. */
async function installed(stage: Stage, { spec, kind, name }: Held, seam: Seam = new Seam()): Promise<Seam> {
  await start(stage, (runnable) => seam.around(runnable));
  stage.place.start(finalizingOperator({ kind, namespace: stage.place.namespace, deployment: "operator" }));
  await ask(stage, { checkDeploymentHealth: false, ...spec });
  await untilReady(stage);
  await stage.until(kind, name, ({ metadata }) => metadata.finalizers?.includes(HELD_BY) === true, OPERAND_MS);
  return seam;
}

/** Expects that the object was gone before anything was asked of the operator's Deployment. */
function expectBefore(stage: Stage, seam: Seam, { kind, name }: Held): { readonly check: () => void } {
  const present: boolean[] = [];
  const { before } = seam;
  seam.before = async (request) => {
    await before(request);
    if (request.method !== "DELETE" || !request.path.endsWith("/deployments/operator")) return;
    present.push((await stage.find(kind, name)) !== undefined);
  };
  return {
    check: () => expect(present, "whether the object was there when the Deployment was deleted").toEqual([false]),
  };
}

/** Deletes the Operand, and expects it to end with the object gone before the Deployment is touched. */
async function uninstalls(stage: Stage, held: Held): Promise<void> {
  const seam = await installed(stage, held);
  const order = expectBefore(stage, seam, held);
  await stage.delete(Operand, named(stage));
  await stage.gone(Operand, named(stage), OPERAND_MS);
  await stage.gone(held.kind, held.name);
  await stage.gone(Deployment, "operator");
  order.check();
}

function withCrd(stage: Stage): Held {
  const { namespace } = stage.place;
  const { declaration, kind, gadget } = gadgets(namespace);
  return { spec: { steadyState: [gadget("g"), deployment(namespace, "operator"), declaration] }, kind, name: "g" };
}

function heldConfig(stage: Stage, operand: Readonly<Record<string, string>>): EmbeddedObject {
  return config(stage.place.namespace, "held", {}, { operand });
}

/** Sets in which only an annotation, or the list, says that the ConfigMap comes after the Deployment. */
const LATER: Readonly<Record<string, (stage: Stage) => Held>> = {
  "depends-on": (stage) => {
    const { namespace } = stage.place;
    const held = heldConfig(stage, { "depends-on": `apps/namespaces/${namespace}/Deployment/operator` });
    return { spec: { steadyState: [held, deployment(namespace, "operator")] }, kind: CONFIG_MAPS, name: "held" };
  },
  wave: (stage) => {
    const steadyState = [heldConfig(stage, { wave: "1" }), deployment(stage.place.namespace, "operator")];
    return { spec: { steadyState }, kind: CONFIG_MAPS, name: "held" };
  },
  postInstall: (stage) => {
    const steadyState = [deployment(stage.place.namespace, "operator")];
    return { spec: { steadyState, postInstall: [heldConfig(stage, {})] }, kind: CONFIG_MAPS, name: "held" };
  },
};

const uninstallsLater: Scenarios = Object.fromEntries(
  Object.entries(LATER).map(([by, heldOf]) => [
    `uninstalling goes backwards: what comes later by ${by} is gone before the Deployment is deleted`,
    (stage: Stage) => uninstalls(stage, heldOf(stage)),
  ]),
);

const prunesLater: Scenarios = Object.fromEntries(
  Object.entries({ ...LATER, "its CRD": withCrd }).map(([by, heldOf]) => [
    `pruning goes backwards, by the inventory alone: what comes later by ${by} is gone before the Deployment is deleted`,
    async (stage: Stage) => {
      const held = heldOf(stage);
      const seam = await installed(stage, held);
      const order = expectBefore(stage, seam, held);
      await change(stage, { steadyState: [config(stage.place.namespace, "other")], postInstall: [] });
      await stage.gone(Deployment, "operator", OPERAND_MS);
      await untilReady(stage);
      await stage.gone(held.kind, held.name);
      order.check();
    },
  ]),
);

/** Scenarios about the order in which objects go. */
export const DELETION_ORDER: Scenarios = {
  "uninstalling a CRD, an operator and its custom resource in one set ends, with the custom resource gone first": (
    stage,
  ) => uninstalls(stage, withCrd(stage)),

  ...uninstallsLater,
  ...prunesLater,

  "several leftovers that are due at once go backwards, too": async (stage) => {
    const held = withCrd(stage);
    const seam = await installed(stage, { ...held, spec: { ...held.spec, prune: { mode: "Deferred", after: "5s" } } });
    const order = expectBefore(stage, seam, held);
    await change(stage, { steadyState: [config(stage.place.namespace, "other")] });
    await untilReady(stage);
    await stage.gone(Deployment, "operator", OPERAND_MS);
    await until(stage, ({ status }) => status?.pending === undefined, "a", OPERAND_MS);
    await stage.gone(held.kind, held.name);
    order.check();
  },

  "an order that is given later, without a change of the set, is the one that counts": async (stage) => {
    const { namespace } = stage.place;
    const spec = { steadyState: [config(namespace, "held"), deployment(namespace, "operator")] };
    const seam = await installed(stage, { spec, kind: CONFIG_MAPS, name: "held" });
    const held = LATER["wave"]?.(stage);
    if (held === undefined) throw new Error("there is such a set");
    await change(stage, { steadyState: held.spec.steadyState ?? [] });
    await until(stage, ({ metadata, status }) => status?.installedSteadyStateGeneration === metadata.generation);
    await untilReady(stage);
    const order = expectBefore(stage, seam, held);
    await change(stage, { steadyState: [config(namespace, "other")] });
    await stage.gone(Deployment, "operator", OPERAND_MS);
    await untilReady(stage);
    order.check();
  },

  "an object that is never gone: what is waited for is named, the time-out is reported, an annotation goes on": async (
    stage,
  ) => {
    const { namespace } = stage.place;
    const { declaration, kind, gadget } = gadgets(namespace);
    const stuck = { ...gadget("g"), metadata: { ...gadget("g").metadata, finalizers: ["example.com/unserved"] } };
    await start(stage);
    const steadyState = [stuck, deployment(namespace, "operator"), declaration];
    await ask(stage, { checkDeploymentHealth: false, deletionTimeout: "3s", steadyState });
    await untilReady(stage);
    await stage.delete(Operand, named(stage));
    const says =
      (reason: string): ((operand: Parameters<typeof condition>[0]) => boolean) =>
      (operand) =>
        condition(operand, "OperandInstalled")?.reason === reason;
    const waiting = await until(stage, says("WaitingForDeletion"), "a", OPERAND_MS);
    const inventory = waiting.status?.latestReadyActiveOperand ?? "";
    const message = condition(waiting, "OperandInstalled")?.message;
    expect(message).toContain(`gadget.${namespace}.example.com/g in ${namespace}`);
    expect(message).toContain("example.com/unserved");
    const held = await stage.find(ClusterActiveOperand, inventory);
    expect(held?.status?.waiting).toMatchObject([{ kind: "Gadget", name: "g", finalizers: ["example.com/unserved"] }]);
    const stalled = await until(stage, says("DeletionTimedOut"), "a", OPERAND_MS);
    expect(condition(stalled, "Stalled")).toMatchObject({ status: "True", reason: "DeletionTimedOut" });
    expect(condition(stalled, "OperandInstalled")?.message).toContain("operand.levelset.dev/skip-deletion-wait");
    expect(findCondition(stalled.status?.conditions, "Ready")?.status).not.toBe("True");
    expect((await stage.find(Deployment, "operator"))?.metadata.deletionTimestamp).toBeUndefined();
    const annotations = { "operand.levelset.dev/skip-deletion-wait": "true" };
    await stage.patch(Operand, named(stage), { metadata: { annotations } });
    await stage.gone(Operand, named(stage), OPERAND_MS);
    await stage.gone(Deployment, "operator");
    // Finalizers of others are never taken off.
    expect((await stage.find(kind, "g"))?.metadata.finalizers).toEqual(["example.com/unserved"]);
    await stage.patch(kind, "g", { metadata: { finalizers: null } });
  },

  "the last of a set to go is not waited for, unless the deletionPolicy says so": async (stage) => {
    const { namespace } = stage.place;
    await start(stage);
    const stuck = config(namespace, "x");
    const steadyState = [{ ...stuck, metadata: { ...stuck.metadata, finalizers: ["example.com/unserved"] } }];
    await ask(stage, { steadyState });
    await untilReady(stage);
    await stage.delete(Operand, named(stage));
    await stage.gone(Operand, named(stage), OPERAND_MS);
    expect((await stage.find(ConfigMap, "x"))?.metadata.deletionTimestamp).toBeDefined();
    await stage.patch(ConfigMap, "x", { metadata: { finalizers: null } });
  },
};
