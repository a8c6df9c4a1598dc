/** One place in the tree that breaks a rule. */
export interface Violation {
  /** Path from the root of the repository, with slashes. */
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  /** What is wrong, as a statement. */
  readonly wrong: string;
  /** What to do, as an instruction. */
  readonly instead: string;
}

/** One line per violation, in the order of the tree, so that an editor can jump to each. */
export function formatViolations(violations: readonly Violation[]): string {
  return violations
    .toSorted((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1))
    .map(({ file, line, wrong, instead }) => `${file}:${line}  ${wrong}  instead: ${instead}`)
    .join("\n");
}
