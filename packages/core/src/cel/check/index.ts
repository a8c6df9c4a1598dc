/** Type checking of expressions in an environment. Begin with `checker.ts`. */

export { check } from "./checker.ts";
export { checkLiterals } from "./literals.ts";
export type { CheckIssue, CheckResult } from "./checker.ts";
