/** Whether an expression is well typed in an environment. Begin with `checker.ts`. */

export { check } from "./checker.ts";
export { checkLiterals } from "./literals.ts";
export type { CheckFault, Checked } from "./checker.ts";
