import type { ApiObject } from "../../../store/index.ts";

/** Context of a stage effect. */
export interface StageContext {
  /** Current time as an RFC 3339 timestamp. */
  readonly now: string;
}

/** Effect at the end of a stage. Functions must be pure. */
export type StageEffect =
  /** Replaces the status of the object. */
  | { readonly kind: "status"; status(object: ApiObject, context: StageContext): unknown }
  /** Removes the object at once, unless it has finalizers. */
  | { readonly kind: "remove" };

/**
 * A step in the lifecycle of simulated objects. Matching objects stay for a time, then the effect is applied. If
 * several stages match, the first one is used. An object that stops matching earlier does not get the effect.
 */
export interface Stage {
  readonly name: string;
  /** Resource of the objects: `plural.group`, or `plural` for the core group. */
  readonly resource: string;
  /** Label selector, such as `app=web,tier!=db`. */
  readonly selector?: string;
  /** Whether an object is in this stage. */
  readonly when: (object: ApiObject) => boolean;
  /** Duration of the stage in milliseconds. */
  readonly after: number | ((object: ApiObject) => number);
  /** Varies `after` by up to this fraction, so that objects do not move in lockstep. */
  readonly jitter?: number;
  readonly effect: StageEffect;
}
