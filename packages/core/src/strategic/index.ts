/** Strategic merge patches, for the built-in kinds. Begin with `patch.ts`. */

export { StrategicPatchError } from "./error.ts";
export type { StrategicPatchFault } from "./error.ts";
export { applyStrategicPatch } from "./patch.ts";
