import { controllerOf } from "@levelset/core";
import { isRemoteOwner } from "@levelset/core/internal";
import type { AnyCustomKind, EmbeddedObject, KubeObject, NewOf, ObjectOf } from "@levelset/core";
import { ok, refOf, step, wait } from "../engine/index.ts";
import type { Req, Result, OutputStep, Step } from "../engine/index.ts";
import { childKinds, reconcileSubCr, deleteChildren } from "../steps/index.ts";
import type { SubresourceOptions } from "../steps/index.ts";
import { Operand } from "./spec/operand-kinds.ts";
import { ORPHAN_FINALIZER } from "./spec/labels-and-annotations.ts";
import { removalHold } from "./inventory/removal-hold.ts";

/** Settings of an Operand's spec beside its manifest lists. */
export type OperandSettings = Omit<NewOf<Operand>["spec"], "steadyState" | "postInstall">;

/** Options of {@link operand}. */
export interface OperandStepOptions<K extends AnyCustomKind, Uses extends readonly OutputStep<unknown>[]> extends Pick<
  SubresourceOptions<K, Operand, Uses, NewOf<Operand>>,
  "condition" | "uses" | "protect" | "adopt" | "status"
> {
  /**
   * Objects that are applied first and must be healthy before postInstall. Must be a pure function of the object and
   * the values that it reads.
   */
  readonly steadyState: (req: Req<K, Uses[number]>) => readonly EmbeddedObject[];
  /** Objects that are applied once steadyState is healthy. They replace whole objects of steadyState. */
  readonly postInstall?: (req: Req<K, Uses[number]>) => readonly EmbeddedObject[];
  /** Further settings of the Operand: health, pruning, deletion and so on. */
  readonly spec?: (req: Req<K, Uses[number]>) => OperandSettings;
  /** Name of the Operand. Default: `NAMESPACE.NAME` of the object, or `NAME` if it is cluster-scoped. */
  readonly name?: (req: Req<K, Uses[number]>) => string;
}

/**
 * Installs software with an Operand that belongs to the object: the set is rendered from the object, and the step is ok
 * once the Operand is Ready for it, as with `subresource`. On deletion the step deletes the Operand and its set and
 * waits until they are gone. With `protect`, a deletion of the Operand by another client is held, and its set stays,
 * until the object is deleted. Requires the operators of Operand to run, in this process or another one.
 */
export function operand<K extends AnyCustomKind, const Uses extends readonly OutputStep<unknown>[] = readonly []>(
  kind: K,
  name: string,
  options: OperandStepOptions<K, Uses>,
): Step<K, ObjectOf<Operand>> {
  const { condition, uses, steadyState, postInstall, spec, protect = false, adopt = false, status } = options;

  const desired = (req: Req<K, Uses[number]>): NewOf<Operand> => ({
    metadata: { name: options.name?.(req) ?? defaultName(req) },
    spec: { ...spec?.(req), steadyState: steadyState(req), postInstall: postInstall?.(req) ?? [] },
  });

  const installed = async (req: Req<K, Uses[number]>): Promise<Result<ObjectOf<Operand>>> => {
    // An Operand is cluster-scoped, so it can have an owner reference only to a cluster-scoped object; other owners are
    // recorded in an annotation.
    const hold = { owned: req.namespace === undefined, protect, adopt };
    const reached = await reconcileSubCr(req, name, Operand, desired(req), hold);
    if (reached.kind !== "ok") return reached;
    const deletion = await deleteChildren(req, Operand, name, [reached.value]);
    if (deletion.kind !== "ok") return deletion;
    status?.(req, reached.value);
    return reached;
  };

  return step<K, ObjectOf<Operand>, Uses>(kind, name, {
    ...(condition === undefined ? {} : { condition }),
    ...(uses === undefined ? {} : { uses }),
    ...childKinds<K>(name, Operand, protect),
    do: installed,
    cleanup: async (req) => {
      if (isOrphaningDependents(req.object)) return ok();
      const result = await deleteChildren(req, Operand, name, req.owned(Operand).filter(isOrphan(req.object)));
      return result.kind === "wait" ? waitFor(req.owned(Operand), result.reason) : result;
    },
  });
}

/** Waits until Operands are gone, and reports what blocks them. */
function waitFor(operands: readonly ObjectOf<Operand>[], message: string): Result<never> {
  const on = operands.map(refOf);
  const [hold] = operands.flatMap(({ status }) => removalHold(status?.conditions, "OperandInstalled") ?? []);
  if (hold === undefined) return wait(message, { on });
  return wait(`${message}: ${hold.message}`, { reason: hold.reason, severity: hold.severity, on });
}

/** Reports whether an object is deleted with orphan propagation. */
function isOrphaningDependents({ metadata }: KubeObject): boolean {
  return metadata.namespace === undefined && metadata.finalizers?.includes(ORPHAN_FINALIZER) === true;
}

/**
 * Reports whether an Operand lost its owner reference to the object by orphan propagation. Its owner annotation is
 * still set.
 */
function isOrphan(owner: KubeObject): (operand: ObjectOf<Operand>) => boolean {
  const isReferredTo = owner.metadata.namespace === undefined && !isRemoteOwner(owner);
  return (operand) => isReferredTo && controllerOf(operand) === undefined;
}

/** Unique per object of a kind: the name of a namespace has no dot. */
function defaultName({ namespace, name }: Pick<Req<AnyCustomKind>, "namespace" | "name">): string {
  return namespace === undefined ? name : `${namespace}.${name}`;
}
