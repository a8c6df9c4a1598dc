export { dryRunText } from "./dry-run-text.ts";
export { dryRun } from "./dry-run.ts";
export type { DryRunInput, GivenFile } from "./dry-run.ts";
