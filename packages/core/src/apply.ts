/** Patches and server-side apply. */

export {
  applyWithLastApplied,
  compareValues,
  containsApplied,
  decodeManagedFields,
  encodeFieldsV1,
  encodeManagedFields,
  FieldSet,
  formatConflicts,
  formatFieldPath,
  ManagedFieldsError,
  objectType,
  toFieldSet,
  TypeMismatchError,
  updateManagedFields,
} from "./apply/index.ts";
export type {
  ApplyInput,
  ApplyResult,
  Comparison,
  FieldConflict,
  FieldManager,
  FieldManagerEntry,
  FieldPath,
  FieldPattern,
  ManagedFields,
  ManagedFieldsOperation,
  PathElement,
  TypeConverter,
  TypedValue,
  UpdateInput,
  ValueType,
} from "./apply/index.ts";
export {
  applyJsonPatch,
  applyMergePatch,
  createMergePatch,
  formatJsonPointer,
  JSON_PATCH_COPY_SIZE_MAX,
  JSON_PATCH_OPERATIONS_MAX,
  JsonPatchError,
  JsonPointerError,
  parseJsonPatch,
  parseJsonPointer,
} from "./patch/index.ts";
export type { JsonPatchErrorKind, JsonPatchOperation } from "./patch/index.ts";
export { applyStrategicPatch, StrategicPatchError } from "./strategic-patch/index.ts";
export type { StrategicPatchErrorKind } from "./strategic-patch/index.ts";
