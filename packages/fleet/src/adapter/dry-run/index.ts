/** A task tried on made-up answers, with what it would do in words. Begin with `dry-run-text.ts`. */

export { dryRunText } from "./dry-run-text.ts";
export { dryRun } from "./dry-run.ts";
export type { DryRunInput, GivenFile } from "./dry-run.ts";
