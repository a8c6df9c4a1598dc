export { check } from "./checker.ts";
export { checkLiterals } from "./literals.ts";
export type { CheckFault, Checked } from "./checker.ts";
