import type { AnyCustomKind, Kind, KubeObject, PolicyRule, Scope, StatusOf } from "@levelset/core";
import type { FollowRule } from "./follow-rule.ts";
import type { Reference } from "./reference.ts";
import type { Req, Source } from "./req.ts";
import type { Eventually } from "./result.ts";

/** A right that a step needs beyond those that follow from its declarations. */
export interface StepRule extends PolicyRule {
  /**
   * Where the right is needed: in the namespaces that the operator works in, or in the whole cluster, as for kinds that live in no
   * namespace. Default: Namespaced.
   */
  readonly scope?: Scope;
}

/** The three phases of a step and what it declares. Every phase must be idempotent: it may run again at any time. */
export interface StepPhases<
  K extends AnyCustomKind,
  Out,
  Uses extends readonly Source<unknown>[] = readonly Source<unknown>[],
> {
  /** The condition that tells how far this step is. Without one the step shows up in the conditions only while it is not ok. */
  readonly condition?: string;
  /** Further conditions, which the step sets itself with `req.condition`. */
  readonly conditions?: readonly string[];
  /** Conditions that only inform, such as `Stalled`: Ready does not depend on them, and one that is not set is absent. */
  readonly asides?: readonly string[];
  /** The condition that is False while an object that the step writes is contested, and absent otherwise. Default: that of the step. */
  readonly contests?: string;
  /** Status fields that live on from run to run; all others start empty. */
  readonly keeps?: readonly (keyof StatusOf<K> & string)[];
  /** Kinds of children that this step makes. Their changes wake the object; `req.owned` finds them. */
  readonly owns?: readonly Kind[];
  /**
   * Kinds of children that must not vanish under the object, because making them anew would lose data. The engine puts a finalizer on
   * them and one on the object, reports a child that another client deletes, and releases the children when the object itself is
   * deleted. Owned besides.
   */
  readonly protects?: readonly Kind[];
  /** Which children of these kinds this step protects. Default: all that the object owns. */
  readonly isProtected?: (child: KubeObject) => boolean;
  /** Objects that this step reads because the object names them. Their changes wake it; `req.get` and `req.select` find them. */
  readonly reads?: readonly Reference<K>[];
  /** How it follows objects whose kinds only the spec tells; `req.follow` names the kinds. Needs `rbac` of its own. */
  readonly follows?: readonly FollowRule<K>[];
  /** Earlier steps whose hand-over this one reads with `req.from`. A list in the wrong order is refused at start-up. */
  readonly uses?: Uses;
  /** Rights for calls through `req.client` that neither `owns` nor `reads` covers. */
  readonly rbac?: readonly StepRule[];
  /** Brings the world closer to the spec. */
  readonly do?: (req: Req<K, Uses[number]>) => Eventually<Out>;
  /** Undoes what `do` did, on deletion. Must tolerate that `do` never ran. Its presence gives the object a finalizer. */
  readonly cleanup?: (req: Req<K, never>) => Eventually<unknown>;
  /** Runs right before saving, in every run, whatever happened to other steps. */
  readonly post?: (req: Req<K, Uses[number]>) => Eventually<unknown>;
}

/** A single piece of the work of reconciling a kind. Steps are data: they hold nothing from run to run. */
export interface Step<K extends AnyCustomKind, Out = unknown> extends StepPhases<K, Out> {
  readonly name: string;
}

/** Declares a step of a kind, or with `kindWith` of every kind that has certain fields. */
export function step<
  K extends AnyCustomKind,
  Out = undefined,
  const Uses extends readonly Source<unknown>[] = readonly [],
>(_kind: K, name: string, phases: StepPhases<K, Out, Uses>): Step<K, Out> {
  return { name, ...phases };
}
