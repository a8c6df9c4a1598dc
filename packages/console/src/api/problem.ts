import type { DiffLine } from "./operand-document.ts";

/** Source of the displayed data. */
export type SourceName = "cluster" | "fleet" | "operators" | "console";

/** Machine-readable reason of a problem. */
export type ProblemReason =
  | "unreachable"
  | "unauthorized"
  | "forbidden"
  | "missing"
  | "refused"
  | "conflict"
  | "failed";

/** A problem for display. It is resolved when the server no longer sends it. */
export interface Problem {
  readonly source: SourceName;
  /** The affected kind or process; empty for the whole source. */
  readonly about: string;
  readonly reason: ProblemReason;
  readonly message: string;
  /** Next step for the user. */
  readonly hint: string;
  /** Invalid fields with messages. */
  readonly fields?: readonly { readonly field: string; readonly message: string }[];
  /** For a conflict: the current text and its difference to the base. */
  readonly current?: { readonly yaml: string; readonly diff: readonly DiffLine[] };
}
