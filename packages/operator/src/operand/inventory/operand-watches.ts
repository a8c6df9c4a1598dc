import { kindId } from "@levelset/core";
import { controllingOwnerUid } from "@levelset/core/internal";
import type { Kind, KubeObject } from "@levelset/core";
import type { DynamicWatch } from "../../engine/index.ts";
import type { ClusterActiveOperand, Operand } from "../spec/operand-kinds.ts";
import { inventoriesOf, MANAGED_LABEL, operandsOf } from "../spec/labels-and-annotations.ts";

/** Enqueues an Operand for each change of an object that it manages. */
export const operandWatch: DynamicWatch<Operand> = {
  labelSelector: MANAGED_LABEL,
  map: (changed: KubeObject, ours) => {
    const uids = new Set(operandsOf(changed));
    return [...ours].filter(({ metadata }) => uids.has(metadata.uid)).map(({ metadata }) => ({ name: metadata.name }));
  },
};

/**
 * Enqueues an inventory for each change of an object that it owns or owned before, and of objects of its Operand, which
 * it may have to own.
 */
export const inventoryWatch: DynamicWatch<ClusterActiveOperand> = {
  labelSelector: MANAGED_LABEL,
  map: (changed: KubeObject, ours) => {
    const uids = new Set<string | undefined>(operandsOf(changed));
    const names = [...ours].filter((one) => uids.has(controllingOwnerUid(one))).map(({ metadata }) => metadata.name);
    return [...new Set([...names, ...inventoriesOf(changed)])].map((name) => ({ name }));
  },
};

/** Removes duplicate kinds. */
export function distinctKinds(kinds: readonly Kind[]): readonly Kind[] {
  return [...new Map(kinds.map((kind) => [kindId(kind), kind])).values()];
}
