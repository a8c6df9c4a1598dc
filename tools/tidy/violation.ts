/** A violation of a rule. */
export interface Violation {
  /** Path from the root of the repository, with slashes. */
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  /** The problem, as a statement. */
  readonly message: string;
  /** What to do, as an instruction. */
  readonly fix: string;
}

/** Formats one line per violation, sorted by file and line, in a form that editors can link. */
export function formatViolations(violations: readonly Violation[]): string {
  return violations
    .toSorted((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1))
    .map(({ file, line, message, fix }) => `${file}:${line}  ${message}  fix: ${fix}`)
    .join("\n");
}
