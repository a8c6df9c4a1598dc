/** Merge patches and JSON patches. Begin with `json.ts`. */

export { PatchError } from "./error.ts";
export type { PatchErrorKind } from "./error.ts";
export { applyJsonPatch, JSON_PATCH_COPY_SIZE_MAX } from "./json.ts";
export { applyMergePatch, createMergePatch } from "./merge.ts";
export { JSON_PATCH_OPERATIONS_MAX, parseJsonPatch } from "./operation.ts";
export type { JsonPatchOperation } from "./operation.ts";
export { formatPointer, parsePointer, PointerError } from "./pointer.ts";
