/** Merge patches and JSON patches. Begin with `json-patch.ts`. */

export { JsonPatchError } from "./json-patch-error.ts";
export type { JsonPatchErrorKind } from "./json-patch-error.ts";
export { applyJsonPatch, JSON_PATCH_COPY_SIZE_MAX } from "./json-patch.ts";
export { applyMergePatch, createMergePatch } from "./merge-patch.ts";
export { JSON_PATCH_OPERATIONS_MAX, parseJsonPatch } from "./json-patch-operation.ts";
export type { JsonPatchOperation } from "./json-patch-operation.ts";
export { PATCH_TYPES } from "./patch-type.ts";
export { formatJsonPointer, parseJsonPointer, JsonPointerError } from "./json-pointer.ts";
