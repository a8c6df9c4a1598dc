import type { KubeObject } from "@levelset/core";
import { refOf } from "./step/object-ref.ts";
import type { ObjectRef } from "./step/object-ref.ts";

/** The calls of an `external` step. */
export type ExternalVerb = "observe" | "apply" | "delete";

/** The object that an `external` step reconciles, as it was when the run began. */
export interface ExternalCallObject extends ObjectRef {
  readonly uid: string;
  readonly generation: number;
}

/** A call of an `external` step. */
export interface ExternalCall {
  readonly verb: ExternalVerb;
  /** Name of the step. */
  readonly step: string;
  readonly object: ExternalCallObject;
}

/** Intercepts the calls of `external` steps: a simulation records and breaks them, a plan holds them back. */
export interface ExternalInterceptor {
  /**
   * Returns the answer of a call. `make` makes the real call; it may be called never, once or several times. A rejection
   * fails the step as a failed call does, except `ExternalHeldBack`.
   */
  intercept<Answer>(call: ExternalCall, make: () => Promise<Answer>): Promise<Answer>;
}

/** What steps pass before they have an effect outside of the cluster. */
export interface EffectHooks {
  /** Intercepts the calls of `external` steps; absent if they are made directly. */
  readonly externalInterceptor?: ExternalInterceptor | undefined;
  /** Throws if another process may lead by now; absent without leader election. */
  readonly assertLeading?: (() => void) | undefined;
}

/** Rejects a call that was not made on purpose. The step then waits, and is not retried. */
export class ExternalHeldBack extends Error {
  override readonly name: string = "ExternalHeldBack";

  constructor() {
    super("external call held back");
  }
}

/**
 * Reports whether a call was held back. Compares the name, because the command and the project of an operator may each
 * have their own installation of this package.
 */
export function isHeldBack(error: unknown): error is Error {
  return error instanceof Error && error.name === "ExternalHeldBack";
}

/** Member of a request with what its external calls pass through. A symbol, because it is no part of the public `Req`. */
const INTERCEPTION: unique symbol = Symbol("levelset.externalInterception");

interface Interception extends EffectHooks {
  readonly object: ExternalCallObject;
}

interface Intercepted {
  readonly [INTERCEPTION]?: Interception;
}

/** Returns the member that a request needs so that its external calls are fenced and intercepted. */
export function interceptionOf({ externalInterceptor, assertLeading }: EffectHooks, object: KubeObject): Intercepted {
  if (externalInterceptor === undefined && assertLeading === undefined) return {};
  const { uid, generation = 0 } = object.metadata;
  return { [INTERCEPTION]: { externalInterceptor, assertLeading, object: { ...refOf(object), uid, generation } } };
}

/**
 * Makes an external call of a step, through the interceptor of its run if it has one. Rejects a call with an effect if
 * another process may lead by now.
 */
export async function makeExternalCall<Answer>(
  req: object,
  { verb, step }: Pick<ExternalCall, "verb" | "step">,
  make: () => Promise<Answer>,
): Promise<Answer> {
  const { [INTERCEPTION]: interception } = req as Intercepted; // only `interceptionOf` sets the member
  if (interception === undefined) return make();
  const { externalInterceptor, assertLeading, object } = interception;
  if (verb !== "observe") assertLeading?.();
  return externalInterceptor === undefined ? make() : externalInterceptor.intercept({ verb, step, object }, make);
}
