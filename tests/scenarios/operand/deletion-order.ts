import { ConfigMap, Deployment, findCondition } from "@levelset/core";
import type { EmbeddedObject, Kind } from "@levelset/core";
import { ClusterActiveOperand, Operand } from "@levelset/operator";
import { expect } from "vitest";
import type { Scenarios } from "../../support/cluster/scenario.ts";
import type { Cluster } from "../../support/cluster/cluster.ts";
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
  cluster: Cluster,
  { spec, kind, name }: Held,
  seam: InterceptingFetch = new InterceptingFetch(),
): Promise<InterceptingFetch> {
  await start(cluster, (runnable) => seam.wrap(runnable));
  cluster.start(finalizingOperator({ kind, namespace: cluster.namespace, deployment: "operator" }));
  await createOperand(cluster, { checkDeploymentHealth: false, ...spec });
  await untilReady(cluster);
  await cluster.until(kind, name, ({ metadata }) => metadata.finalizers?.includes(HELD_BY) === true, OPERAND_MS);
  return seam;
}

/** Expects that the object was gone before the first request for the operator's Deployment. */
function expectBefore(cluster: Cluster, seam: InterceptingFetch, { kind, name }: Held): { readonly check: () => void } {
  const present: boolean[] = [];
  const { before } = seam;
  seam.before = async (request) => {
    await before(request);
    if (request.method !== "DELETE" || !request.path.endsWith("/deployments/operator")) return;
    present.push((await cluster.find(kind, name)) !== undefined);
  };
  return {
    check: () => expect(present, "whether the object existed when the Deployment was deleted").toEqual([false]),
  };
}

/** Deletes the Operand, and expects that the object is gone before the Deployment is deleted. */
async function uninstalls(cluster: Cluster, held: Held): Promise<void> {
  const seam = await installed(cluster, held);
  const order = expectBefore(cluster, seam, held);
  await cluster.delete(Operand, operandName(cluster));
  await cluster.untilDeleted(Operand, operandName(cluster), OPERAND_MS);
  await cluster.untilDeleted(held.kind, held.name);
  await cluster.untilDeleted(Deployment, "operator");
  order.check();
}

function withCrd(cluster: Cluster): Held {
  const { namespace } = cluster;
  const { declaration, kind, gadget } = gadgets(namespace);
  return { spec: { steadyState: [gadget("g"), deployment(namespace, "operator"), declaration] }, kind, name: "g" };
}

function heldConfig(cluster: Cluster, operand: Readonly<Record<string, string>>): EmbeddedObject {
  return config(cluster.namespace, "held", {}, { operand });
}

/** Sets in which only an annotation or the list defines that the ConfigMap comes after the Deployment. */
const LATER: Readonly<Record<string, (cluster: Cluster) => Held>> = {
  "depends-on": (cluster) => {
    const { namespace } = cluster;
    const held = heldConfig(cluster, { "depends-on": `apps/namespaces/${namespace}/Deployment/operator` });
    return { spec: { steadyState: [held, deployment(namespace, "operator")] }, kind: CONFIG_MAPS, name: "held" };
  },
  wave: (cluster) => {
    const steadyState = [heldConfig(cluster, { wave: "1" }), deployment(cluster.namespace, "operator")];
    return { spec: { steadyState }, kind: CONFIG_MAPS, name: "held" };
  },
  postInstall: (cluster) => {
    const steadyState = [deployment(cluster.namespace, "operator")];
    return { spec: { steadyState, postInstall: [heldConfig(cluster, {})] }, kind: CONFIG_MAPS, name: "held" };
  },
};

const uninstallsLater: Scenarios = Object.fromEntries(
  Object.entries(LATER).map(([by, heldOf]) => [
    `deletion in reverse order: an object that comes later by ${by} is gone before the Deployment is deleted`,
    (cluster: Cluster) => uninstalls(cluster, heldOf(cluster)),
  ]),
);

const prunesLater: Scenarios = Object.fromEntries(
  Object.entries({ ...LATER, "its CRD": withCrd }).map(([by, heldOf]) => [
    `pruning in reverse order, by the inventory alone: an object that comes later by ${by} is gone before the Deployment is deleted`,
    async (cluster: Cluster) => {
      const held = heldOf(cluster);
      const seam = await installed(cluster, held);
      const order = expectBefore(cluster, seam, held);
      await updateOperand(cluster, { steadyState: [config(cluster.namespace, "other")], postInstall: [] });
      await cluster.untilDeleted(Deployment, "operator", OPERAND_MS);
      await untilReady(cluster);
      await cluster.untilDeleted(held.kind, held.name);
      order.check();
    },
  ]),
);

/** Scenarios about the deletion order. */
export const DELETION_ORDER: Scenarios = {
  "deletion of a CRD, an operator and its custom resource in one set completes, with the custom resource gone first": (
    cluster,
  ) => uninstalls(cluster, withCrd(cluster)),

  ...uninstallsLater,
  ...prunesLater,

  "several leftovers that are due at once are deleted in reverse order": async (cluster) => {
    const held = withCrd(cluster);
    const seam = await installed(cluster, {
      ...held,
      spec: { ...held.spec, prune: { mode: "Deferred", after: "5s" } },
    });
    const order = expectBefore(cluster, seam, held);
    await updateOperand(cluster, { steadyState: [config(cluster.namespace, "other")] });
    await untilReady(cluster);
    await cluster.untilDeleted(Deployment, "operator", OPERAND_MS);
    await until(cluster, ({ status }) => status?.pending === undefined, "a", OPERAND_MS);
    await cluster.untilDeleted(held.kind, held.name);
    order.check();
  },

  "an order that changes without a change of the set is used for deletion": async (cluster) => {
    const { namespace } = cluster;
    const spec = { steadyState: [config(namespace, "held"), deployment(namespace, "operator")] };
    const seam = await installed(cluster, { spec, kind: CONFIG_MAPS, name: "held" });
    const held = LATER["wave"]?.(cluster);
    if (held === undefined) throw new Error("the set is installed");
    await updateOperand(cluster, { steadyState: held.spec.steadyState ?? [] });
    await until(cluster, ({ metadata, status }) => status?.installedSteadyStateGeneration === metadata.generation);
    await untilReady(cluster);
    const order = expectBefore(cluster, seam, held);
    await updateOperand(cluster, { steadyState: [config(namespace, "other")] });
    await cluster.untilDeleted(Deployment, "operator", OPERAND_MS);
    await untilReady(cluster);
    order.check();
  },

  "an object with a stuck finalizer is named, its timeout is reported, and an annotation skips the wait": async (
    cluster,
  ) => {
    const { namespace } = cluster;
    const { declaration, kind, gadget } = gadgets(namespace);
    const stuck = { ...gadget("g"), metadata: { ...gadget("g").metadata, finalizers: ["example.com/unserved"] } };
    await start(cluster);
    const steadyState = [stuck, deployment(namespace, "operator"), declaration];
    await createOperand(cluster, { checkDeploymentHealth: false, deletionTimeout: "3s", steadyState });
    await untilReady(cluster);
    await cluster.delete(Operand, operandName(cluster));
    const says =
      (reason: string): ((operand: Parameters<typeof condition>[0]) => boolean) =>
      (operand) =>
        condition(operand, "OperandInstalled")?.reason === reason;
    const waiting = await until(cluster, says("WaitingForDeletion"), "a", OPERAND_MS);
    const inventory = waiting.status?.latestReadyActiveOperand ?? "";
    const message = condition(waiting, "OperandInstalled")?.message;
    expect(message).toContain(`gadget.${namespace}.example.com/g in ${namespace}`);
    expect(message).toContain("example.com/unserved");
    const held = await cluster.find(ClusterActiveOperand, inventory);
    expect(held?.status?.waiting).toMatchObject([{ kind: "Gadget", name: "g", finalizers: ["example.com/unserved"] }]);
    const stalled = await until(cluster, says("DeletionTimedOut"), "a", OPERAND_MS);
    expect(condition(stalled, "Stalled")).toMatchObject({ status: "True", reason: "DeletionTimedOut" });
    expect(condition(stalled, "OperandInstalled")?.message).toContain("operand.levelset.dev/skip-deletion-wait");
    expect(findCondition(stalled.status?.conditions, "Ready")?.status).not.toBe("True");
    expect((await cluster.find(Deployment, "operator"))?.metadata.deletionTimestamp).toBeUndefined();
    const annotations = { "operand.levelset.dev/skip-deletion-wait": "true" };
    await cluster.patch(Operand, operandName(cluster), { metadata: { annotations } });
    await cluster.untilDeleted(Operand, operandName(cluster), OPERAND_MS);
    await cluster.untilDeleted(Deployment, "operator");
    // Finalizers of others are never removed.
    expect((await cluster.find(kind, "g"))?.metadata.finalizers).toEqual(["example.com/unserved"]);
    await cluster.patch(kind, "g", { metadata: { finalizers: null } });
  },

  "the last objects of a set are not waited for, unless the deletionPolicy requires it": async (cluster) => {
    const { namespace } = cluster;
    await start(cluster);
    const stuck = config(namespace, "x");
    const steadyState = [{ ...stuck, metadata: { ...stuck.metadata, finalizers: ["example.com/unserved"] } }];
    await createOperand(cluster, { steadyState });
    await untilReady(cluster);
    await cluster.delete(Operand, operandName(cluster));
    await cluster.untilDeleted(Operand, operandName(cluster), OPERAND_MS);
    expect((await cluster.find(ConfigMap, "x"))?.metadata.deletionTimestamp).toBeDefined();
    await cluster.patch(ConfigMap, "x", { metadata: { finalizers: null } });
  },
};
