import { Deployment, findCondition, isReady } from "@levelset/core";
import type { Condition, JsonObject, NewOf, ObjectOf, Runnable } from "@levelset/core";
import type { RunnableHandle } from "@levelset/apiserver/testing";
import { ClusterActiveOperand, Operand, operandManager } from "@levelset/operator";
import type { Cluster } from "../../support/cluster/cluster.ts";

/** Spec of an Operand. */
export type Spec = NewOf<Operand>["spec"];
type OperandObject = ObjectOf<Operand>;

/** Installs the Operand CRDs. */
export async function install(cluster: Cluster): Promise<void> {
  for (const kind of operandManager().kinds ?? []) await cluster.install(kind);
}

/** Starts the Operand operators, behind `wrap` if set. */
export async function start(
  cluster: Cluster,
  wrap: (runnable: Runnable) => Runnable = (runnable) => runnable,
): Promise<RunnableHandle> {
  await install(cluster);
  return cluster.start(wrap(operandManager()));
}

/** Returns the name of an Operand of this scenario: Operands are cluster-scoped, so it contains the namespace. */
export function operandName(cluster: Cluster, name: string = "a"): string {
  return `${cluster.namespace}-${name}`;
}

/** Creates an Operand. */
export function createOperand(cluster: Cluster, spec: Spec, name: string = "a"): Promise<OperandObject> {
  return cluster.create(Operand, { metadata: { name: operandName(cluster, name) }, spec });
}

/** Changes an Operand. */
export function updateOperand(
  cluster: Cluster,
  spec: JsonObject | Partial<Spec>,
  name: string = "a",
): Promise<OperandObject> {
  return cluster.patch(Operand, operandName(cluster, name), { spec });
}

/** Watches an Operand until the condition holds. */
export function until(
  cluster: Cluster,
  isExpected: (operand: OperandObject) => boolean,
  name: string = "a",
  limitMs?: number,
): Promise<OperandObject> {
  return cluster.until(Operand, operandName(cluster, name), isExpected, limitMs);
}

/** Watches an Operand until it is ready. */
export function untilReady(cluster: Cluster, name: string = "a"): Promise<OperandObject> {
  return until(cluster, isReady, name, READY_MS);
}

/** Includes retries of a second or two each. */
const READY_MS = 20_000;

/** Returns one condition of an Operand. */
export function condition({ status }: OperandObject, type: string): Condition | undefined {
  return findCondition(status?.conditions, type);
}

/** Returns a predicate: the Operand has this condition for its current generation. */
export function hasCondition(type: string, status: string, reason?: string): (operand: OperandObject) => boolean {
  return (operand) => {
    const found = condition(operand, type);
    const isPresent = found?.observedGeneration === operand.metadata.generation;
    return isPresent && found?.status === status && (reason === undefined || found.reason === reason);
  };
}

/** Returns the inventories of an Operand, sorted by name. */
export async function inventories(
  cluster: Cluster,
  { metadata }: OperandObject,
): Promise<readonly ObjectOf<ClusterActiveOperand>[]> {
  const { items } = await cluster.client.list(ClusterActiveOperand);
  return items.filter(({ metadata: { ownerReferences = [] } }) =>
    ownerReferences.some(({ uid, controller }) => uid === metadata.uid && controller === true),
  );
}

/** Returns the names of the inventories that own an object. */
export function owners({ metadata }: { readonly metadata: ObjectOf<Operand>["metadata"] }): readonly string[] {
  return (metadata.ownerReferences ?? [])
    .filter(({ kind }) => kind === ClusterActiveOperand.kind)
    .map(({ name }) => name);
}

/** Simulates kube-controller-manager: all replicas of the current template are available. */
export async function makeAvailable(cluster: Cluster, name: string, namespace?: string): Promise<void> {
  const key = namespace === undefined ? cluster.at(name) : { namespace, name };
  const { metadata } = await cluster.client.get(Deployment, key);
  await setDeploymentStatus(cluster, name, metadata.generation ?? 0, namespace);
}

/** The same, by a controller that has observed only this generation. */
export async function setDeploymentStatus(
  cluster: Cluster,
  name: string,
  observedGeneration: number,
  namespace?: string,
): Promise<void> {
  const key = namespace === undefined ? cluster.at(name) : { namespace, name };
  const time = "2026-01-01T00:00:00Z";
  const said = (type: string, reason: string): object => ({
    type,
    status: "True",
    reason,
    message: "",
    lastTransitionTime: time,
    lastUpdateTime: time,
  });
  const conditions = [said("Available", "MinimumReplicasAvailable"), said("Progressing", "NewReplicaSetAvailable")];
  const counts = { replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 };
  const status = { observedGeneration, ...counts, conditions };
  await cluster.client.mergePatch(Deployment, key, { status }, { subresource: "status" });
}
