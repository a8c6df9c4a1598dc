import type { FailureKind } from "../situation/index.ts";

/** Phases of a run. */
export type TaskPhase = "params" | "preconditions" | "resources" | "post_actions";

/** Details of a phase failure. */
export interface PhaseErrorOptions {
  readonly isTransient?: boolean;
  readonly isNotFound?: boolean;
  readonly reason?: string | undefined;
  /** What the failure means for the work. Default: `undetermined`. */
  readonly means?: FailureKind;
}

/**
 * Failure of a phase at a step. Transient: a later retry may succeed. `isNotFound`: the fleet API does not know the
 * resource (any more), which is not a failure of the adapter.
 */
export class PhaseError extends Error {
  override readonly name = "PhaseError";
  readonly phase: TaskPhase;
  readonly step: string;
  readonly isTransient: boolean;
  readonly isNotFound: boolean;
  /** Machine-readable reason of the failure, if it has one, such as `NotOurs`. */
  readonly reason: string | undefined;
  readonly means: FailureKind;

  constructor(
    phase: TaskPhase,
    step: string,
    message: string,
    { isTransient = false, isNotFound = false, reason, means = "undetermined" }: PhaseErrorOptions = {},
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
