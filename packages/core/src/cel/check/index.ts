export { check } from "./checker.ts";
export type { CheckFault, Checked } from "./checker.ts";
