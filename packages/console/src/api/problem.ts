import type { DiffLine } from "./set-document.ts";

/** Where something is looked at. */
export type SourceName = "cluster" | "fleet" | "operators" | "console";

/** Why something cannot be shown, in a word: what to do differs. */
export type ProblemReason =
  | "unreachable"
  | "unauthorized"
  | "forbidden"
  | "missing"
  | "refused"
  | "conflict"
  | "failed";

/** Something that cannot be shown, for people. It is over when it is no longer told. */
export interface Problem {
  readonly source: SourceName;
  /** What of it: a kind, a process; empty for all of it. */
  readonly about: string;
  readonly reason: ProblemReason;
  readonly message: string;
  /** What to do about it. */
  readonly hint: string;
  /** The fields that are wrong, and why. */
  readonly fields?: readonly { readonly field: string; readonly message: string }[];
  /** Of a conflict: what is there by now, and how it differs from what was begun with. */
  readonly now?: { readonly yaml: string; readonly diff: readonly DiffLine[] };
}
