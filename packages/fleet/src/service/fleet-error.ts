import type { FieldProblem } from "../resource/index.ts";

/** Why the fleet refused a request. */
export type FleetErrorReason =
  /** Some fields are invalid. */
  | "invalid"
  /** The request as a whole is invalid. */
  | "unusable"
  /**
   * Not possible this way: a child that is not created below its parent, or a key that was used for another request.
   */
  | "unprocessable"
  | "not-found"
  /** The name is in use. */
  | "exists"
  /** Not allowed in the current state of the resource. */
  | "state"
  /** The resource has another generation than the caller expects. */
  | "version"
  | "forbidden"
  /** Too many concurrent changes of the same resource. A retry may succeed. */
  | "busy";

/** A refused request; no change was made. Message and problems are shown to the caller. */
export class FleetError extends Error {
  override readonly name = "FleetError";
  readonly reason: FleetErrorReason;
  readonly problems: readonly FieldProblem[];

  constructor(reason: FleetErrorReason, message: string, problems: readonly FieldProblem[] = []) {
    super(message);
    this.reason = reason;
    this.problems = problems;
  }
}

/** Returns an error for invalid fields. */
export function invalidFields(problems: readonly FieldProblem[], message?: string): FleetError {
  return new FleetError("invalid", message ?? problems.map((problem) => problem.message).join("; "), problems);
}
