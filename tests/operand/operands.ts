import { Deployment, findCondition, isReady } from "@levelset/core";
import type { Condition, JsonObject, NewOf, ObjectOf, Runnable } from "@levelset/core";
import type { Running } from "@levelset/apiserver/testing";
import { ClusterActiveOperand, Operand, operandManager } from "@levelset/operator";
import type { Stage } from "../engine/stage.ts";

/** What a scenario asks for. */
export type Spec = NewOf<Operand>["spec"];
type Asked = ObjectOf<Operand>;

/** Declares their kinds. */
export async function install(stage: Stage): Promise<void> {
  for (const kind of operandManager().kinds ?? []) await stage.place.install(kind);
}

/** Starts the operators of Operands; behind `wrap` if given. */
export async function start(
  stage: Stage,
  wrap: (runnable: Runnable) => Runnable = (runnable) => runnable,
): Promise<Running> {
  await install(stage);
  return stage.place.start(wrap(operandManager()));
}

/** The name of an Operand of this scenario: they live in no namespace, so it holds the scenario's own. */
export function named(stage: Stage, name: string = "a"): string {
  return `${stage.place.namespace}-${name}`;
}

/** Asks for a set. */
export function ask(stage: Stage, spec: Spec, name: string = "a"): Promise<Asked> {
  return stage.create(Operand, { metadata: { name: named(stage, name) }, spec });
}

/** Asks for something else. */
export function change(stage: Stage, spec: JsonObject | Partial<Spec>, name: string = "a"): Promise<Asked> {
  return stage.patch(Operand, named(stage, name), { spec });
}

/** Follows an Operand until it is as wanted. */
export function until(
  stage: Stage,
  wanted: (operand: Asked) => boolean,
  name: string = "a",
  limitMs?: number,
): Promise<Asked> {
  return stage.until(Operand, named(stage, name), wanted, limitMs);
}

/** Follows an Operand until it is ready. */
export function untilReady(stage: Stage, name: string = "a"): Promise<Asked> {
  return until(stage, isReady, name, READY_MS);
}

/** Retries may come between, and a second or two of each. */
const READY_MS = 20_000;

/** One condition of an Operand. */
export function condition({ status }: Asked, type: string): Condition | undefined {
  return findCondition(status?.conditions, type);
}

/** Whether a condition of an Operand says this of its present generation. */
export function says(type: string, status: string, reason?: string): (operand: Asked) => boolean {
  return (operand) => {
    const found = condition(operand, type);
    const isPresent = found?.observedGeneration === operand.metadata.generation;
    return isPresent && found?.status === status && (reason === undefined || found.reason === reason);
  };
}

/** The inventories of an Operand, by name. */
export async function inventories(
  stage: Stage,
  { metadata }: Asked,
): Promise<readonly ObjectOf<ClusterActiveOperand>[]> {
  const { items } = await stage.client.list(ClusterActiveOperand);
  return items.filter(({ metadata: { ownerReferences = [] } }) =>
    ownerReferences.some(({ uid, controller }) => uid === metadata.uid && controller === true),
  );
}

/** The names of the inventories that own an object. */
export function owners({ metadata }: { readonly metadata: ObjectOf<Operand>["metadata"] }): readonly string[] {
  return (metadata.ownerReferences ?? [])
    .filter(({ kind }) => kind === ClusterActiveOperand.kind)
    .map(({ name }) => name);
}

/** Plays kube-controller-manager: every replica of the present template is there and available. */
export async function makeAvailable(stage: Stage, name: string, namespace?: string): Promise<void> {
  const key = namespace === undefined ? stage.at(name) : { namespace, name };
  const { metadata } = await stage.client.get(Deployment, key);
  await tellDeployment(stage, name, metadata.generation ?? 0, namespace);
}

/** The same, as told by a controller that has seen only this generation. */
export async function tellDeployment(
  stage: Stage,
  name: string,
  observedGeneration: number,
  namespace?: string,
): Promise<void> {
  const key = namespace === undefined ? stage.at(name) : { namespace, name };
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
  await stage.client.mergePatch(Deployment, key, { status }, { subresource: "status" });
}
