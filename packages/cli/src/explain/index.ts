/** Formats explanations and runs of objects. Begin with `explain-text.ts`. */

export { explainText } from "./explain-text.ts";
export { traceText } from "./trace-text.ts";
