/** Static cost estimation of expressions. Begin with `estimate.ts`. */

export { estimateCost } from "./estimate.ts";
export type { CostEstimate } from "./estimate.ts";
export type { SizeHints } from "./size.ts";
