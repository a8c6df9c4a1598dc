/** Operands in the CLI: client, specs from flags, texts. Begin with `operand-client.ts`. */

export {
  applyOperand,
  findOperand,
  getOperand,
  operandInformer,
  revisionByGeneration,
  revisionsOf,
} from "./operand-client.ts";
export type { LiveOperand, LiveRevision } from "./operand-client.ts";
export { parseGeneration } from "./parse-generation.ts";
export { hasChanges, hasRefusals, planJson, planText } from "./plan-text.ts";
export { objectDiffText } from "./object-diff-text.ts";
export { namespacedName, refText } from "./ref-text.ts";
export { addSetFlags, hasSetFlags, invalidSetError, OFFLINE_KINDS, specFromFlags } from "./spec-from-flags.ts";
export type { SetFlags } from "./spec-from-flags.ts";
export { summarizeChange } from "./summarize-change.ts";
export { isObserved, NOT_OBSERVED, statusLine, statusText } from "./status-text.ts";
export type { OperandStatus } from "./status-text.ts";
export { suspendOperand } from "./suspend-operand.ts";
export { waitForOperand } from "./wait-operand.ts";
