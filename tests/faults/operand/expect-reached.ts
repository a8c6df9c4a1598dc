import { ConfigMap, Deployment, isReady } from "@levelset/core";
import type { Kind, KubeObject, ObjectOf } from "@levelset/core";
import { expect } from "vitest";
import { ClusterActiveOperand, Operand, OperandRevision } from "@levelset/operator";
import { expectedObjects } from "./random-specs.ts";
import type { Spec } from "../../scenarios/operand/operands.ts";

/** Lists all objects of a kind. */
export type List = <K extends Kind>(kind: K) => Promise<readonly ObjectOf<K>[]>;

const SET_KINDS = [ConfigMap, Deployment];

/**
 * Expects that every Operand has reached its spec: exactly its objects exist, each owned by the inventories that list
 * it.
 */
export async function expectReached(list: List, specs: ReadonlyMap<string, Spec>): Promise<void> {
  const operands = await list(Operand);
  const unready = operands.filter((operand) => !isReady(operand));
  expect(unready.map(({ metadata, status }) => [metadata.name, status])).toEqual([]);
  const managed = (await everything(list)).filter(isMarked);
  const names = managed.map(({ kind, metadata }) => `${kind}/${JSON.stringify(metadata.name)}`).toSorted();
  expect(names).toEqual(expectedObjects(operands.map(({ metadata }) => specs.get(metadata.name) ?? {})));
  const inventories = await list(ClusterActiveOperand);
  const baselines = operands.map(({ status }) => status?.latestReadyActiveOperand ?? "none");
  expect(inventories.map(({ metadata }) => metadata.name).toSorted()).toEqual(baselines.toSorted());
  for (const object of managed) expectOwners(object, inventories);
  const pruned = managed.filter(({ metadata }) => metadata.annotations?.["operand.levelset.dev/pruning"] !== undefined);
  expect(pruned.map(({ metadata }) => metadata.name)).toEqual([]);
}

/** Expects that no object of any Operand exists. */
export async function expectNoObjects(list: List): Promise<void> {
  const ours = await Promise.all([Operand, ClusterActiveOperand, OperandRevision].map((kind) => list<Kind>(kind)));
  const left = [...ours.flat(), ...(await everything(list))];
  const names = left.map(({ metadata }) => metadata.name);
  expect(names.filter((name) => name !== "kube-root-ca.crt")).toEqual([]);
}

async function everything(list: List): Promise<readonly KubeObject[]> {
  const lists = SET_KINDS.map(async (kind) => {
    const items: readonly KubeObject[] = await list<Kind>(kind);
    // Items of a list have no kind.
    return items.map((object) => ({ ...object, kind: kind.kind }));
  });
  return (await Promise.all(lists)).flat();
}

function isMarked({ metadata }: KubeObject): boolean {
  return Object.keys(metadata.labels ?? {}).some((key) => key.startsWith("operand.levelset.dev/"));
}

function expectOwners({ kind, metadata }: KubeObject, inventories: readonly ObjectOf<ClusterActiveOperand>[]): void {
  const { name, namespace } = metadata;
  const lists = inventories.filter(({ spec }) =>
    spec.live.some((ref) => ref.kind === kind && ref.name === name && ref.namespace === namespace),
  );
  const expected = lists.map((inventory) => inventory.metadata.uid).toSorted();
  const found = (metadata.ownerReferences ?? []).map(({ uid }) => uid).toSorted();
  expect(found, `the owners of ${kind} ${name}`).toEqual(expected);
}
