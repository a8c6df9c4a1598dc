import type { ApiObject } from "../../store/index.ts";

/** What a stage may know besides the object. */
export interface StageContext {
  /** Now, as Kubernetes writes it. */
  readonly now: string;
}

/** What happens at the end of a stage. Functions are pure. */
export type StageEffect =
  /** The object gets this status. */
  | { readonly kind: "status"; status(object: ApiObject, context: StageContext): unknown }
  /** The object is removed at once, unless finalizers hold it. */
  | { readonly kind: "remove" };

/**
 * A step in the life of simulated objects: those that are at it stay for a while, then something happens to them. Of several
 * stages that an object is at, the first counts. An object that leaves a stage before its time was never at its end.
 */
export interface Stage {
  readonly name: string;
  /** Whose objects: `plural.group`, or `plural` for the core group. */
  readonly resource: string;
  /** Only objects with these labels, such as `app=web,tier!=db`. */
  readonly selector?: string;
  /** Whether an object is at this stage. */
  readonly when: (object: ApiObject) => boolean;
  /** How many milliseconds it stays. */
  readonly after: number | ((object: ApiObject) => number);
  /** Varies `after` by up to this fraction, so that many objects do not move in step. */
  readonly jitter?: number;
  readonly effect: StageEffect;
}
