import { apiVersionOf, controllerOf } from "@levelset/core";
import type { KubeObject } from "@levelset/core";
import { creatingStepOf, refOf } from "@levelset/operator/internal";
import type { ManagedOperator } from "@levelset/operator";
import { refText } from "../operand/index.ts";
import { hasPlan } from "./copy/index.ts";

/**
 * Returns a note for each child of a step that the new version does not have. Such a child stays as it is until its
 * owner is deleted.
 */
export function abandonedChildren(
  operators: readonly ManagedOperator[],
  objects: readonly KubeObject[],
): readonly string[] {
  return objects.flatMap((object) => {
    const step = creatingStepOf(object);
    const owner = controllerOf(object);
    if (step === undefined || owner === undefined) return [];
    const plans = operators
      .filter(hasPlan)
      .filter(({ rbac: { kind } }) => kind.kind === owner.kind && apiVersionOf(kind) === owner.apiVersion)
      .map(({ plan }) => plan);
    const isGone = plans.length > 0 && plans.every(({ steps }) => steps.every(({ name }) => name !== step));
    return isGone ? [`${refText(refOf(object))} is not managed any more: the operator has no step ${step}`] : [];
  });
}
