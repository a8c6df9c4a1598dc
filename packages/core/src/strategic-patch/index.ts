/** Strategic merge patches, for the built-in kinds. Begin with `apply-strategic-patch.ts`. */

export { StrategicPatchError } from "./strategic-patch-error.ts";
export type { StrategicPatchErrorKind } from "./strategic-patch-error.ts";
export { applyStrategicPatch } from "./apply-strategic-patch.ts";
