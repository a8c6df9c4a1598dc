import type { FieldProblem } from "../resource/index.ts";

/** Why the fleet does not do what it was asked. */
export type FleetErrorReason =
  /** Some fields are wrong. */
  | "invalid"
  /** The request as a whole makes no sense. */
  | "unusable"
  /** Not this way: a child that is not created below its parent, a key that was used for another request. */
  | "unprocessable"
  | "not-found"
  /** The name is taken. */
  | "exists"
  /** Not in the state that it is in. */
  | "state"
  /** It is another one than the caller thinks. */
  | "version"
  | "forbidden"
  /** Too many others changed the same thing. Asking again may help. */
  | "busy";

/** A refusal. Nothing has happened. Its message and problems are for the caller. */
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

/** A refusal for fields that are wrong. */
export function invalid(problems: readonly FieldProblem[], message?: string): FleetError {
  return new FleetError("invalid", message ?? problems.map((problem) => problem.message).join("; "), problems);
}
