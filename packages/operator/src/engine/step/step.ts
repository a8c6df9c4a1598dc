import type { AnyCustomKind, Kind, KubeObject, PolicyRule, Scope, StatusOf } from "@levelset/core";
import type { DynamicWatch } from "./dynamic-watch.ts";
import type { Reference } from "./reference.ts";
import type { Req, OutputStep } from "./req.ts";
import type { MaybeAsyncResult } from "./result.ts";

/** An RBAC rule that a step needs in addition to those derived from its declarations. */
export interface StepPolicyRule extends PolicyRule {
  /**
   * Where the rule applies: in the namespaces that the operator watches, or in the whole cluster, as for cluster-scoped
   * kinds. Default: Namespaced.
   */
  readonly scope?: Scope;
}

/** The three phases of a step and its declarations. Every phase must be idempotent: it may run again at any time. */
export interface StepOptions<
  K extends AnyCustomKind,
  Out,
  Uses extends readonly OutputStep<unknown>[] = readonly OutputStep<unknown>[],
> {
  /**
   * The condition that reports this step. Without one, a condition named after the step is set only while it is not ok.
   */
  readonly condition?: string;
  /** Further conditions, which the step sets itself with `req.condition`. */
  readonly conditions?: readonly string[];
  /** Informational conditions, such as `Stalled`: Ready does not depend on them, and one that is not set is absent. */
  readonly informational?: readonly string[];
  /**
   * The condition that is False while an object of the step is contested, and absent otherwise. Default: the step's
   * condition.
   */
  readonly contests?: string;
  /** Status fields that are carried over from run to run; all others start empty. */
  readonly preserveStatus?: readonly (keyof StatusOf<K> & string)[];
  /** Kinds of children that this step creates. Their changes enqueue the object; `req.owned` returns them. */
  readonly owns?: readonly Kind[];
  /**
   * Kinds of children that must not be deleted before the object, because recreating them would lose data. The engine
   * adds a finalizer to them and one to the object, reports a child that another client deletes, and removes the
   * finalizers when the object itself is deleted. Implies `owns`.
   */
  readonly protects?: readonly Kind[];
  /** Selects the children of these kinds that this step protects. Default: all that the object owns. */
  readonly isProtected?: (child: KubeObject) => boolean;
  /**
   * References to objects that this step reads. Their changes enqueue the object; `req.get` and `req.select` return
   * them.
   */
  readonly reads?: readonly Reference<K>[];
  /** Watches on kinds that are known only at run time; `req.watch` names the kinds. Requires explicit `rbac` rules. */
  readonly dynamicWatches?: readonly DynamicWatch<K>[];
  /** Earlier steps whose output this one reads with `req.from`. Steps in the wrong order are rejected at start-up. */
  readonly uses?: Uses;
  /** RBAC rules for calls through `req.client` that neither `owns` nor `reads` covers. */
  readonly rbac?: readonly StepPolicyRule[];
  /** Reconciles the actual state with the spec. */
  readonly do?: (req: Req<K, Uses[number]>) => MaybeAsyncResult<Out>;
  /**
   * Undoes the effects of `do` on deletion. Must tolerate that `do` never ran. Its presence gives the object a
   * finalizer.
   */
  readonly cleanup?: (req: Req<K, never>) => MaybeAsyncResult<unknown>;
  /**
   * Time limit of the cleanup, counted from the deletion of the object. A cleanup that takes longer goes on and still
   * blocks the deletion, but needs a person: its condition is Error with the reason CleanupTimedOut, and the message
   * names the annotation that skips it. Default: no limit.
   */
  readonly deadlineMs?: number;
  /** Runs right before saving, in every run, even if other steps failed. */
  readonly post?: (req: Req<K, Uses[number]>) => MaybeAsyncResult<unknown>;
}

/** One part of reconciling a kind. Steps are data: they hold no state between runs. */
export interface Step<K extends AnyCustomKind, Out = unknown> extends StepOptions<K, Out> {
  readonly name: string;
}

/** Declares a step of a kind, or with `kindWith` of every kind that has certain fields. */
export function step<
  K extends AnyCustomKind,
  Out = undefined,
  const Uses extends readonly OutputStep<unknown>[] = readonly [],
>(_kind: K, name: string, phases: StepOptions<K, Out, Uses>): Step<K, Out> {
  return { name, ...phases };
}
