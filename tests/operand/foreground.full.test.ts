import { readFile } from "node:fs/promises";
import { Deployment, ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from "@levelset/core";
import type { EmbeddedObject, NewOf } from "@levelset/core";
import { ClusterActiveOperand, Operand } from "@levelset/operator";
import { loadAll } from "js-yaml";
import { expect, test } from "vitest";
import { Stage } from "../engine/stage.ts";
import { ROOT } from "../support/repository.ts";
import { onRealCluster } from "../support/real-cluster.ts";
import { finalizingOperator, gadgets, HELD_BY } from "./finalizing-operator.ts";
import { deployment } from "./manifests.ts";
import { ask, named, start, untilReady } from "./operands.ts";
import { operandTheatre } from "./theatre.ts";

/** The policy that the reference shows. */
async function documented(): Promise<readonly EmbeddedObject[]> {
  const page = await readFile(`${ROOT}/docs/reference/operand.md`, "utf8");
  const [, text = ""] = /```yaml\n(apiVersion: admissionregistration[^`]*)```/u.exec(page) ?? [];
  return loadAll(text) as readonly EmbeddedObject[]; // checked by the server
}

await onRealCluster("foreground deletion of an Operand", (startCluster) => {
  test(
    "keeps the order where a policy refuses to delete inventories in the foreground",
    { timeout: 120_000 },
    async () => {
      await using theatre = operandTheatre(
        await startCluster({ controllerManager: true, withoutControllers: ["deployment-controller"] }),
      );
      await using stage = new Stage(await theatre.open());
      const { namespace } = stage.place;
      const { declaration, kind, gadget } = gadgets(namespace);
      await start(stage);
      const [policy, binding] = await documented();
      // Manifests are objects of their kinds, without the index signature.
      await stage.client.create(
        ValidatingAdmissionPolicy,
        policy as unknown as NewOf<typeof ValidatingAdmissionPolicy>,
      );
      const bound = binding as unknown as NewOf<typeof ValidatingAdmissionPolicyBinding>;
      await stage.client.create(ValidatingAdmissionPolicyBinding, bound);
      stage.place.start(finalizingOperator({ kind, namespace, deployment: "operator" }));
      const steadyState = [gadget("g"), deployment(namespace, "operator"), declaration];
      const asked = await ask(stage, { checkDeploymentHealth: false, steadyState });
      const { status } = await untilReady(stage);
      await stage.until(kind, "g", ({ metadata }) => metadata.finalizers?.includes(HELD_BY) === true, 20_000);
      // The server enforces a policy a moment after it is there.
      const inventory = { name: status?.latestReadyActiveOperand ?? "" };
      const refusal = (): Promise<unknown> =>
        stage.client.delete(ClusterActiveOperand, inventory, { propagation: "Foreground", dryRun: true }).catch(String);
      await expect.poll(refusal).toContain("in the background");
      await stage.client.delete(
        Operand,
        { name: named(stage) },
        { uid: asked.metadata.uid, propagation: "Foreground" },
      );
      await stage.gone(kind, "g", 20_000);
      await stage.gone(Operand, named(stage), 20_000);
      await stage.gone(Deployment, "operator", 20_000);
    },
  );
});
