import { readFile } from "node:fs/promises";
import {
  ConfigMap,
  Deployment,
  ReplicaSet,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from "@levelset/core";
import type { EmbeddedObject, NewOf, ObjectOf } from "@levelset/core";
import { ClusterActiveOperand, Operand } from "@levelset/operator";
import { loadAll } from "js-yaml";
import { expect, test } from "vitest";
import { ROOT } from "../../support/repository.ts";
import { onRealCluster } from "../../support/real-cluster.ts";
import { finalizingOperator, gadgets, HELD_BY } from "./finalizing-operator.ts";
import { config, deployment } from "./manifests.ts";
import { condition, createOperand, operandName, start, until, untilReady } from "./operands.ts";
import { operandClusters } from "./operand-clusters.ts";

/** Returns the policy from the reference documentation. */
async function documented(): Promise<readonly EmbeddedObject[]> {
  const page = await readFile(`${ROOT}/docs/reference/operand.md`, "utf8");
  const [, text = ""] = /```yaml\n(apiVersion: admissionregistration[^`]*)```/u.exec(page) ?? [];
  return loadAll(text) as readonly EmbeddedObject[]; // checked by the server
}

await onRealCluster("foreground deletion of an Operand", (startCluster) => {
  test("keeps the Operand until its objects and their dependents are gone, and names them", async () => {
    await using clusters = operandClusters(await startCluster({ controllerManager: true }));
    await using cluster = await clusters.open();
    const { namespace } = cluster;
    await start(cluster);
    const held = config(namespace, "held");
    const finalizers = ["example.com/f"];
    const steadyState = [
      { ...held, metadata: { ...held.metadata, finalizers } },
      config(namespace, "x"),
      deployment(namespace, "web"),
    ];
    const created = await createOperand(cluster, { checkDeploymentHealth: false, steadyState });
    await untilReady(cluster);
    const ours = async (): Promise<readonly ObjectOf<typeof ReplicaSet>[]> =>
      (await cluster.client.list(ReplicaSet, { namespace })).items;
    await expect.poll(async () => (await ours()).length).toBe(1);
    const [{ metadata: set } = { metadata: { name: "" } }] = await ours();
    const key = { namespace, name: set.name };
    await cluster.client.mergePatch(ReplicaSet, key, { metadata: { finalizers } });
    await cluster.client.delete(
      Operand,
      { name: operandName(cluster) },
      { uid: created.metadata.uid, propagationPolicy: "Foreground" },
    );
    const waitsFor = (text: string) => (operand: ObjectOf<typeof Operand>) => {
      const { reason, message = "" } = condition(operand, "OperandInstalled") ?? {};
      return reason === "WaitingForDeletion" && message.includes(text);
    };
    await until(cluster, waitsFor("deployment.apps/web"), "a", 20_000);
    expect((await cluster.find(Deployment, "web"))?.metadata.finalizers).toContain("foregroundDeletion");
    await cluster.client.mergePatch(ReplicaSet, key, { metadata: { finalizers: null } });
    await cluster.untilDeleted(Deployment, "web", 20_000);
    await until(cluster, waitsFor("finalizers example.com/f"), "a", 20_000);
    await cluster.patch(ConfigMap, "held", { metadata: { finalizers: null } });
    await cluster.untilDeleted(ConfigMap, "held", 20_000);
    await cluster.untilDeleted(ConfigMap, "x", 20_000);
    await cluster.untilDeleted(Operand, operandName(cluster), 20_000);
  });

  test("keeps the order if a policy denies foreground deletion of inventories", async () => {
    await using clusters = operandClusters(
      await startCluster({ controllerManager: true, withoutControllers: ["deployment-controller"] }),
    );
    await using cluster = await clusters.open();
    const { namespace } = cluster;
    const { declaration, kind, gadget } = gadgets(namespace);
    await start(cluster);
    const [policy, binding] = await documented();
    // Manifests are objects of their kinds, without the index signature.
    await cluster.client.create(
      ValidatingAdmissionPolicy,
      policy as unknown as NewOf<typeof ValidatingAdmissionPolicy>,
    );
    const bound = binding as unknown as NewOf<typeof ValidatingAdmissionPolicyBinding>;
    await cluster.client.create(ValidatingAdmissionPolicyBinding, bound);
    cluster.start(finalizingOperator({ kind, namespace, deployment: "operator" }));
    const steadyState = [gadget("g"), deployment(namespace, "operator"), declaration];
    const created = await createOperand(cluster, { checkDeploymentHealth: false, steadyState });
    const { status } = await untilReady(cluster);
    await cluster.until(kind, "g", ({ metadata }) => metadata.finalizers?.includes(HELD_BY) === true, 20_000);
    // The server enforces a policy a moment after it is created.
    const inventory = { name: status?.latestReadyActiveOperand ?? "" };
    const refusal = (): Promise<unknown> =>
      cluster.client
        .delete(ClusterActiveOperand, inventory, { propagationPolicy: "Foreground", dryRun: true })
        .catch(String);
    await expect.poll(refusal).toContain("in the background");
    await cluster.client.delete(
      Operand,
      { name: operandName(cluster) },
      { uid: created.metadata.uid, propagationPolicy: "Foreground" },
    );
    await cluster.untilDeleted(kind, "g", 20_000);
    await cluster.untilDeleted(Operand, operandName(cluster), 20_000);
    await cluster.untilDeleted(Deployment, "operator", 20_000);
  });
});
