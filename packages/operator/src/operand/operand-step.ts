import { controllerOf, isElsewhere } from "@levelset/core";
import type { AnyCustomKind, EmbeddedObject, KubeObject, NewOf, ObjectOf } from "@levelset/core";
import { ok, refOf, step, wait } from "../step/index.ts";
import type { Req, Result, Source, Step } from "../step/index.ts";
import { childKinds, keepSubCr, removeChildren } from "../steps/index.ts";
import type { SubresourceOptions } from "../steps/index.ts";
import { Operand } from "./kinds.ts";
import { ORPHAN_FINALIZER } from "./marks.ts";
import { removalHold } from "./removal-hold.ts";

/** What the spec of an Operand may say beside its lists. */
export type OperandSettings = Omit<NewOf<Operand>["spec"], "steadyState" | "postInstall">;

/** What `operand` takes. */
export interface OperandStepOptions<K extends AnyCustomKind, Uses extends readonly Source<unknown>[]> extends Pick<
  SubresourceOptions<K, Operand, Uses, NewOf<Operand>>,
  "condition" | "uses" | "protect" | "adopt" | "status"
> {
  /** The objects that are applied first, and healthy before anything else is. Must be a function of the object and of what it reads. */
  readonly steadyState: (req: Req<K, Uses[number]>) => readonly EmbeddedObject[];
  /** The objects that come when these are healthy; they take the place of whole objects of steadyState. */
  readonly postInstall?: (req: Req<K, Uses[number]>) => readonly EmbeddedObject[];
  /** How the set is kept: health, pruning, deletion and so on. */
  readonly spec?: (req: Req<K, Uses[number]>) => OperandSettings;
  /** The name of the Operand. Default: that of the object, behind its namespace and a dot if it has one. */
  readonly name?: (req: Req<K, Uses[number]>) => string;
}

/**
 * Installs software by way of an Operand that the object has for itself: the set is rendered from the object, and the step is ok once
 * the Operand is Ready for it, as `subresource` judges. On deletion the Operand goes first, with all that it installed, and is waited
 * for. With `protect` a deletion of the Operand by another client is held, and its set stays, until the object is deleted. Needs the operators of Operand to run, in this process or in another one.
 */
export function operand<K extends AnyCustomKind, const Uses extends readonly Source<unknown>[] = readonly []>(
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
    // An Operand lives in no namespace, so only an owner that lives in none can be referred to; for others it carries a mark.
    const hold = { owned: req.namespace === undefined, protect, adopt };
    const reached = await keepSubCr(req, name, Operand, desired(req), hold);
    if (reached.kind !== "ok") return reached;
    const rest = await removeChildren(req, Operand, name, [reached.value]);
    if (rest.kind !== "ok") return rest;
    status?.(req, reached.value);
    return reached;
  };

  return step<K, ObjectOf<Operand>, Uses>(kind, name, {
    ...(condition === undefined ? {} : { condition }),
    ...(uses === undefined ? {} : { uses }),
    ...childKinds<K>(name, Operand, protect),
    do: installed,
    cleanup: async (req) => {
      if (isReleasing(req.object)) return ok();
      const result = await removeChildren(req, Operand, name, req.owned(Operand).filter(isOrphan(req.object)));
      return result.kind === "wait" ? waitFor(req.owned(Operand), result.reason) : result;
    },
  });
}

/** Waits until Operands are gone, and says what holds them. */
function waitFor(operands: readonly ObjectOf<Operand>[], message: string): Result<never> {
  const on = operands.map(refOf);
  const [hold] = operands.flatMap(({ status }) => removalHold(status?.conditions, "OperandInstalled") ?? []);
  if (hold === undefined) return wait(message, { on });
  return wait(`${message}: ${hold.message}`, {
    reason: hold.reason,
    severity: hold.isStuck ? "Error" : hold.reason === "PruneBlocked" ? "Warning" : "Info",
    on,
  });
}

/** Whether an object is deleted without what refers to it. */
function isReleasing({ metadata }: KubeObject): boolean {
  return metadata.namespace === undefined && metadata.finalizers?.includes(ORPHAN_FINALIZER) === true;
}

/** Whether an Operand had an owner reference to the object, which a deletion without dependents has taken away. Its mark is still there. */
function isOrphan(owner: KubeObject): (operand: ObjectOf<Operand>) => boolean {
  const isReferredTo = owner.metadata.namespace === undefined && !isElsewhere(owner);
  return (operand) => isReferredTo && controllerOf(operand) === undefined;
}

/** Different for every object of a kind: a namespace has no dot in its name. */
function defaultName({ namespace, name }: Pick<Req<AnyCustomKind>, "namespace" | "name">): string {
  return namespace === undefined ? name : `${namespace}.${name}`;
}
