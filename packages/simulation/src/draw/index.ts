/** Random choices. Begin with `draw.ts`. */

export { chance, pick, pickWeighted, weightedIndex } from "./draw.ts";
