import { ConfigMap, Deployment, findCondition } from "@levelset/core";
import type { EmbeddedObject, Kind } from "@levelset/core";
import { ClusterActiveOperand, Operand } from "@levelset/operator";
import { expect } from "vitest";
import type { Scenarios } from "../../support/cluster/scenario.ts";
import type { Harness } from "../../support/cluster/harness.ts";
import { finalizingOperator, gadgets, HELD_BY } from "./finalizing-operator.ts";
import { config, deployment } from "./manifests.ts";
import { createOperand, updateOperand, condition, operandName, start, until, untilReady } from "./operands.ts";
import type { Spec } from "./operands.ts";
import { InterceptingFetch } from "./intercepting-fetch.ts";

const OPERAND_MS = 20_000;
const CONFIG_MAPS: Kind = ConfigMap;

/** A set with an operator and an object that the operator finalizes. */
interface Held {
  readonly spec: Spec;
  /** Kind and name of the object that the operator finalizes. */
  readonly kind: Kind;
  readonly name: string;
}

/** Installs a set with its operator running, until the operator's finalizer is on the object. */
async function installed(
  harness: Harness,
  { spec, kind, name }: Held,
  seam: InterceptingFetch = new InterceptingFetch(),
): Promise<InterceptingFetch> {
  await start(harness, (runnable) => seam.wrap(runnable));
  harness.environment.start(
    finalizingOperator({ kind, namespace: harness.environment.namespace, deployment: "operator" }),
  );
  await createOperand(harness, { checkDeploymentHealth: false, ...spec });
  await untilReady(harness);
  await harness.until(kind, name, ({ metadata }) => metadata.finalizers?.includes(HELD_BY) === true, OPERAND_MS);
  return seam;
}

/** Expects that the object was gone before the first request for the operator's Deployment. */
function expectBefore(harness: Harness, seam: InterceptingFetch, { kind, name }: Held): { readonly check: () => void } {
  const present: boolean[] = [];
  const { before } = seam;
  seam.before = async (request) => {
    await before(request);
    if (request.method !== "DELETE" || !request.path.endsWith("/deployments/operator")) return;
    present.push((await harness.find(kind, name)) !== undefined);
  };
  return {
    check: () => expect(present, "whether the object existed when the Deployment was deleted").toEqual([false]),
  };
}

/** Deletes the Operand, and expects that the object is gone before the Deployment is deleted. */
async function uninstalls(harness: Harness, held: Held): Promise<void> {
  const seam = await installed(harness, held);
  const order = expectBefore(harness, seam, held);
  await harness.delete(Operand, operandName(harness));
  await harness.untilDeleted(Operand, operandName(harness), OPERAND_MS);
  await harness.untilDeleted(held.kind, held.name);
  await harness.untilDeleted(Deployment, "operator");
  order.check();
}

function withCrd(harness: Harness): Held {
  const { namespace } = harness.environment;
  const { declaration, kind, gadget } = gadgets(namespace);
  return { spec: { steadyState: [gadget("g"), deployment(namespace, "operator"), declaration] }, kind, name: "g" };
}

function heldConfig(harness: Harness, operand: Readonly<Record<string, string>>): EmbeddedObject {
  return config(harness.environment.namespace, "held", {}, { operand });
}

/** Sets in which only an annotation or the list defines that the ConfigMap comes after the Deployment. */
const LATER: Readonly<Record<string, (harness: Harness) => Held>> = {
  "depends-on": (harness) => {
    const { namespace } = harness.environment;
    const held = heldConfig(harness, { "depends-on": `apps/namespaces/${namespace}/Deployment/operator` });
    return { spec: { steadyState: [held, deployment(namespace, "operator")] }, kind: CONFIG_MAPS, name: "held" };
  },
  wave: (harness) => {
    const steadyState = [heldConfig(harness, { wave: "1" }), deployment(harness.environment.namespace, "operator")];
    return { spec: { steadyState }, kind: CONFIG_MAPS, name: "held" };
  },
  postInstall: (harness) => {
    const steadyState = [deployment(harness.environment.namespace, "operator")];
    return { spec: { steadyState, postInstall: [heldConfig(harness, {})] }, kind: CONFIG_MAPS, name: "held" };
  },
};

const uninstallsLater: Scenarios = Object.fromEntries(
  Object.entries(LATER).map(([by, heldOf]) => [
    `deletion in reverse order: an object that comes later by ${by} is gone before the Deployment is deleted`,
    (harness: Harness) => uninstalls(harness, heldOf(harness)),
  ]),
);

const prunesLater: Scenarios = Object.fromEntries(
  Object.entries({ ...LATER, "its CRD": withCrd }).map(([by, heldOf]) => [
    `pruning in reverse order, by the inventory alone: an object that comes later by ${by} is gone before the Deployment is deleted`,
    async (harness: Harness) => {
      const held = heldOf(harness);
      const seam = await installed(harness, held);
      const order = expectBefore(harness, seam, held);
      await updateOperand(harness, { steadyState: [config(harness.environment.namespace, "other")], postInstall: [] });
      await harness.untilDeleted(Deployment, "operator", OPERAND_MS);
      await untilReady(harness);
      await harness.untilDeleted(held.kind, held.name);
      order.check();
    },
  ]),
);

/** Scenarios about the deletion order. */
export const DELETION_ORDER: Scenarios = {
  "deletion of a CRD, an operator and its custom resource in one set completes, with the custom resource gone first": (
    harness,
  ) => uninstalls(harness, withCrd(harness)),

  ...uninstallsLater,
  ...prunesLater,

  "several leftovers that are due at once are deleted in reverse order": async (harness) => {
    const held = withCrd(harness);
    const seam = await installed(harness, {
      ...held,
      spec: { ...held.spec, prune: { mode: "Deferred", after: "5s" } },
    });
    const order = expectBefore(harness, seam, held);
    await updateOperand(harness, { steadyState: [config(harness.environment.namespace, "other")] });
    await untilReady(harness);
    await harness.untilDeleted(Deployment, "operator", OPERAND_MS);
    await until(harness, ({ status }) => status?.pending === undefined, "a", OPERAND_MS);
    await harness.untilDeleted(held.kind, held.name);
    order.check();
  },

  "an order that changes without a change of the set is used for deletion": async (harness) => {
    const { namespace } = harness.environment;
    const spec = { steadyState: [config(namespace, "held"), deployment(namespace, "operator")] };
    const seam = await installed(harness, { spec, kind: CONFIG_MAPS, name: "held" });
    const held = LATER["wave"]?.(harness);
    if (held === undefined) throw new Error("the set is installed");
    await updateOperand(harness, { steadyState: held.spec.steadyState ?? [] });
    await until(harness, ({ metadata, status }) => status?.installedSteadyStateGeneration === metadata.generation);
    await untilReady(harness);
    const order = expectBefore(harness, seam, held);
    await updateOperand(harness, { steadyState: [config(namespace, "other")] });
    await harness.untilDeleted(Deployment, "operator", OPERAND_MS);
    await untilReady(harness);
    order.check();
  },

  "an object with a stuck finalizer is named, its timeout is reported, and an annotation skips the wait": async (
    harness,
  ) => {
    const { namespace } = harness.environment;
    const { declaration, kind, gadget } = gadgets(namespace);
    const stuck = { ...gadget("g"), metadata: { ...gadget("g").metadata, finalizers: ["example.com/unserved"] } };
    await start(harness);
    const steadyState = [stuck, deployment(namespace, "operator"), declaration];
    await createOperand(harness, { checkDeploymentHealth: false, deletionTimeout: "3s", steadyState });
    await untilReady(harness);
    await harness.delete(Operand, operandName(harness));
    const says =
      (reason: string): ((operand: Parameters<typeof condition>[0]) => boolean) =>
      (operand) =>
        condition(operand, "OperandInstalled")?.reason === reason;
    const waiting = await until(harness, says("WaitingForDeletion"), "a", OPERAND_MS);
    const inventory = waiting.status?.latestReadyActiveOperand ?? "";
    const message = condition(waiting, "OperandInstalled")?.message;
    expect(message).toContain(`gadget.${namespace}.example.com/g in ${namespace}`);
    expect(message).toContain("example.com/unserved");
    const held = await harness.find(ClusterActiveOperand, inventory);
    expect(held?.status?.waiting).toMatchObject([{ kind: "Gadget", name: "g", finalizers: ["example.com/unserved"] }]);
    const stalled = await until(harness, says("DeletionTimedOut"), "a", OPERAND_MS);
    expect(condition(stalled, "Stalled")).toMatchObject({ status: "True", reason: "DeletionTimedOut" });
    expect(condition(stalled, "OperandInstalled")?.message).toContain("operand.levelset.dev/skip-deletion-wait");
    expect(findCondition(stalled.status?.conditions, "Ready")?.status).not.toBe("True");
    expect((await harness.find(Deployment, "operator"))?.metadata.deletionTimestamp).toBeUndefined();
    const annotations = { "operand.levelset.dev/skip-deletion-wait": "true" };
    await harness.patch(Operand, operandName(harness), { metadata: { annotations } });
    await harness.untilDeleted(Operand, operandName(harness), OPERAND_MS);
    await harness.untilDeleted(Deployment, "operator");
    // Finalizers of others are never removed.
    expect((await harness.find(kind, "g"))?.metadata.finalizers).toEqual(["example.com/unserved"]);
    await harness.patch(kind, "g", { metadata: { finalizers: null } });
  },

  "the last objects of a set are not waited for, unless the deletionPolicy requires it": async (harness) => {
    const { namespace } = harness.environment;
    await start(harness);
    const stuck = config(namespace, "x");
    const steadyState = [{ ...stuck, metadata: { ...stuck.metadata, finalizers: ["example.com/unserved"] } }];
    await createOperand(harness, { steadyState });
    await untilReady(harness);
    await harness.delete(Operand, operandName(harness));
    await harness.untilDeleted(Operand, operandName(harness), OPERAND_MS);
    expect((await harness.find(ConfigMap, "x"))?.metadata.deletionTimestamp).toBeDefined();
    await harness.patch(ConfigMap, "x", { metadata: { finalizers: null } });
  },
};
