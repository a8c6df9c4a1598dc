/** Where something is looked at. */
export type SourceName = "cluster" | "fleet" | "operators" | "console";

/** Why something cannot be shown, in a word: what to do differs. */
export type ProblemReason = "unreachable" | "unauthorized" | "forbidden" | "missing" | "refused" | "failed";

/** Something that cannot be shown, for people. It is over when it is no longer told. */
export interface Problem {
  readonly source: SourceName;
  /** What of it: a kind, a process; empty for all of it. */
  readonly about: string;
  readonly reason: ProblemReason;
  readonly message: string;
  /** What to do about it. */
  readonly hint: string;
}
