/** What an expression may cost at most, before it is ever evaluated. Begin with `estimate.ts`. */

export { estimateCost } from "./estimate.ts";
export type { CostEstimate } from "./estimate.ts";
export type { SizeHints } from "./size.ts";
