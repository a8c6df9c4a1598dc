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

/** Member of a request with the interceptor of its run. A symbol, because it is no part of the public `Req`. */
const INTERCEPTION: unique symbol = Symbol("levelset.externalInterception");

interface Interception {
  readonly interceptor: ExternalInterceptor;
  readonly object: ExternalCallObject;
}

interface Intercepted {
  readonly [INTERCEPTION]?: Interception;
}

/** Returns the member that a request needs so that its external calls are intercepted. */
export function interceptionOf(interceptor: ExternalInterceptor | undefined, object: KubeObject): Intercepted {
  if (interceptor === undefined) return {};
  const { uid, generation = 0 } = object.metadata;
  return { [INTERCEPTION]: { interceptor, object: { ...refOf(object), uid, generation } } };
}

/** Makes an external call of a step, through the interceptor of its run if it has one. */
export function makeExternalCall<Answer>(
  req: object,
  { verb, step }: Pick<ExternalCall, "verb" | "step">,
  make: () => Promise<Answer>,
): Promise<Answer> {
  const { [INTERCEPTION]: interception } = req as Intercepted; // only `interceptionOf` sets the member
  if (interception === undefined) return make();
  const { interceptor, object } = interception;
  return interceptor.intercept({ verb, step, object }, make);
}
