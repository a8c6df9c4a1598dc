export { StrategicPatchError } from "./error.ts";
export type { StrategicPatchFault } from "./error.ts";
export { applyStrategicPatch } from "./patch.ts";
