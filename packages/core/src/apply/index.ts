/** Server-side apply: field ownership, merging and conflicts. Begin with `apply-configuration.ts`. */

export type { ApplyResult, ApplyInput } from "./apply-configuration.ts";
export { TypeMismatchError } from "./check-type.ts";
export { compareValues } from "./comparison.ts";
export type { Comparison } from "./comparison.ts";
export { containsApplied } from "./containment.ts";
export { conflictCause, formatConflicts } from "./conflict.ts";
export type { FieldConflict } from "./conflict.ts";
export { applyWithLastApplied } from "./last-applied.ts";
export { formatFieldPath } from "./path-element.ts";
export type { FieldPath, PathElement } from "./path-element.ts";
export { FieldSet } from "./field-set.ts";
export type { FieldPattern } from "./field-set.ts";
export { encodeFieldsV1 } from "./fields-v1.ts";
export {
  decodeManagedFields,
  encodeManagedFields,
  isManagedFieldsReset,
  ManagedFieldsError,
  fieldManagerId,
} from "./managed-fields.ts";
export type { ManagedFieldsOperation, FieldManagerEntry, FieldManager, ManagedFields } from "./managed-fields.ts";
export type { TypeConverter, TypedValue } from "./ownership.ts";
export { toFieldSet } from "./to-field-set.ts";
export { updateManagedFields } from "./update-managed-fields.ts";
export type { UpdateInput } from "./update-managed-fields.ts";
export { objectType } from "./value-type.ts";
export type { ValueType } from "./value-type.ts";
