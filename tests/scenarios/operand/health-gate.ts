import { ConfigMap, Deployment, PersistentVolumeClaim, Service } from "@levelset/core";
import type { EmbeddedObject } from "@levelset/core";
import { expect } from "vitest";
import type { Scenarios } from "../../support/cluster/scenario.ts";
import type { Cluster } from "../../support/cluster/cluster.ts";
import { gadgets } from "./finalizing-operator.ts";
import { config, deployment, service } from "./manifests.ts";
import { condition, createOperand, hasCondition, makeAvailable, start, until, untilReady } from "./operands.ts";

const IS_WAITING = hasCondition("OperandInstalled", "False", "Waiting");

function balancer(namespace: string): EmbeddedObject {
  return service(namespace, "web", { type: "LoadBalancer" });
}

function claim(namespace: string): EmbeddedObject {
  const resources = { requests: { storage: "1Gi" } };
  return {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name: "data", namespace },
    spec: { accessModes: ["ReadWriteOnce"], storageClassName: "none", resources },
  };
}

async function assignAddress(cluster: Cluster): Promise<void> {
  await cluster.until(Service, "web", () => true);
  await cluster.patchStatus(Service, "web", { loadBalancer: { ingress: [{ ip: "192.0.2.1" }] } });
}

async function messageOf(cluster: Cluster): Promise<string> {
  return condition(await until(cluster, IS_WAITING), "OperandInstalled")?.message ?? "";
}

/** Scenarios about the objects that an installation waits for. */
export const HEALTH_GATE: Scenarios = {
  "with healthGate All the set waits for custom resources and load balancers, and names them": async (cluster) => {
    const { namespace } = cluster;
    const { declaration, kind, gadget } = gadgets(namespace);
    await start(cluster);
    await createOperand(cluster, {
      healthGate: "All",
      steadyState: [declaration, balancer(namespace), gadget("g"), config(namespace, "x")],
    });
    await until(cluster, ({ status }) => status?.counts?.applied === 4, "a", 20_000);
    const ready = (status: string): object => ({
      status: { conditions: [{ type: "Ready", status, message: "later" }] },
    });
    await cluster.client.mergePatch(kind, { namespace, name: "g" }, ready("False"));
    await cluster.idle(5_000);
    expect(await messageOf(cluster)).toContain("service/web in");
    expect(await messageOf(cluster)).toContain("the load balancer has no address yet");
    await assignAddress(cluster);
    const operand = await until(
      cluster,
      (one) => IS_WAITING(one) && condition(one, "OperandInstalled")?.message.includes("gadget") === true,
      "a",
      20_000,
    );
    expect(condition(operand, "OperandInstalled")?.message).toContain("later");
    expect(operand.status?.counts).toMatchObject({ total: 4, applied: 4, ready: 3 });
    await cluster.client.mergePatch(kind, { namespace, name: "g" }, ready("True"));
    await untilReady(cluster);
  },

  "with healthGate All steadyState does not wait for what postInstall makes ready": async (cluster) => {
    const { namespace } = cluster;
    await start(cluster);
    await createOperand(cluster, {
      healthGate: "All",
      steadyState: [balancer(namespace), claim(namespace), config(namespace, "x")],
      postInstall: [deployment(namespace, "controller"), config(namespace, "y")],
    });
    await cluster.until(Deployment, "controller", () => true, 20_000);
    expect(await cluster.find(ConfigMap, "y")).toBeDefined();
    await makeAvailable(cluster, "controller");
    await cluster.idle(5_000);
    const operand = await until(cluster, IS_WAITING);
    expect(operand.status?.installedSteadyStateGeneration).toBe(1);
    expect(condition(operand, "OperandInstalled")?.message).toMatch(/^post-install: service\/web/u);
    await assignAddress(cluster);
    await untilReady(cluster);
    // No workload of the set uses the claim.
    expect((await cluster.find(PersistentVolumeClaim, "data"))?.status?.phase).not.toBe("Bound");
  },

  "with healthGate None only rules of spec.health are waited for": async (cluster) => {
    const { namespace } = cluster;
    await start(cluster);
    const steadyState = [deployment(namespace, "platoon"), balancer(namespace)];
    await createOperand(cluster, { healthGate: "None", health: [{ kind: "Service", timeout: "3s" }], steadyState });
    await cluster.until(Deployment, "platoon", () => true, 20_000);
    await cluster.idle(5_000);
    const operand = await until(cluster, hasCondition("OperandInstalled", "False", "Failed"), "a", 20_000);
    expect(operand.status?.failing).toMatchObject([{ kind: "Service", name: "web", reason: "Timeout" }]);
    await assignAddress(cluster);
    await untilReady(cluster);
  },
};
