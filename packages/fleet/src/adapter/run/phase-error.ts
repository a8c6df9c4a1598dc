import type { FailureKind } from "../situation/index.ts";

/** The parts of a run. */
export type Phase = "params" | "preconditions" | "resources" | "post_actions";

/** What is known of a failure beside its place and message. */
export interface PhaseErrorOptions {
  readonly isTransient?: boolean;
  readonly isNotFound?: boolean;
  readonly reason?: string | undefined;
  /** What it means for the work. Default: `unjudged`. */
  readonly means?: FailureKind;
}

/**
 * A phase failed at a step. Transient: trying the same again later may help. `isNotFound`: the fleet's API does not know the resource (any more), which is no
 * failure of the adapter.
 */
export class PhaseError extends Error {
  override readonly name = "PhaseError";
  readonly phase: Phase;
  readonly step: string;
  readonly isTransient: boolean;
  readonly isNotFound: boolean;
  /** A word for the failure, if it has one of its own, such as `NotOurs`. */
  readonly reason: string | undefined;
  readonly means: FailureKind;

  constructor(
    phase: Phase,
    step: string,
    message: string,
    { isTransient = false, isNotFound = false, reason, means = "unjudged" }: PhaseErrorOptions = {},
  ) {
    super(message);
    this.phase = phase;
    this.step = step;
    this.isTransient = isTransient;
    this.isNotFound = isNotFound;
    this.reason = reason;
    this.means = means;
  }
}
