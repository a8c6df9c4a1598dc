import { readFile } from "node:fs/promises";
import { Deployment, ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from "@levelset/core";
import type { EmbeddedObject, NewOf } from "@levelset/core";
import { ClusterActiveOperand, Operand } from "@levelset/operator";
import { loadAll } from "js-yaml";
import { expect, test } from "vitest";
import { ROOT } from "../../support/repository.ts";
import { onRealCluster } from "../../support/real-cluster.ts";
import { finalizingOperator, gadgets, HELD_BY } from "./finalizing-operator.ts";
import { deployment } from "./manifests.ts";
import { createOperand, operandName, start, untilReady } from "./operands.ts";
import { operandClusters } from "./operand-clusters.ts";

/** Returns the policy from the reference documentation. */
async function documented(): Promise<readonly EmbeddedObject[]> {
  const page = await readFile(`${ROOT}/docs/reference/operand.md`, "utf8");
  const [, text = ""] = /```yaml\n(apiVersion: admissionregistration[^`]*)```/u.exec(page) ?? [];
  return loadAll(text) as readonly EmbeddedObject[]; // checked by the server
}

await onRealCluster("foreground deletion of an Operand", (startCluster) => {
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
