import { kindId, managerUid } from "@levelset/core";
import type { Kind, KubeObject } from "@levelset/core";
import type { FollowRule } from "../step/index.ts";
import type { ClusterActiveOperand, Operand } from "./kinds.ts";
import { inventoriesOf, MANAGED_LABEL, operandsOf } from "./marks.ts";

/** Whatever an Operand keeps wakes it. */
export const followedByOperands: FollowRule<Operand> = {
  labels: MANAGED_LABEL,
  map: (changed: KubeObject, ours) => {
    const uids = new Set(operandsOf(changed));
    return [...ours].filter(({ metadata }) => uids.has(metadata.uid)).map(({ metadata }) => ({ name: metadata.name }));
  },
};

/** Whatever an inventory owns, or owned a moment ago, wakes it; and what its Operand has, which it may have to own. */
export const followedByInventories: FollowRule<ClusterActiveOperand> = {
  labels: MANAGED_LABEL,
  map: (changed: KubeObject, ours) => {
    const uids = new Set<string | undefined>(operandsOf(changed));
    const names = [...ours].filter((one) => uids.has(managerUid(one))).map(({ metadata }) => metadata.name);
    return [...new Set([...names, ...inventoriesOf(changed)])].map((name) => ({ name }));
  },
};

/** Each kind once. */
export function distinctKinds(kinds: readonly Kind[]): readonly Kind[] {
  return [...new Map(kinds.map((kind) => [kindId(kind), kind])).values()];
}
