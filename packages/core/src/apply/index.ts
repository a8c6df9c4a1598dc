/** Server-side apply: who owns which fields, and what an apply makes of it. Begin with `apply-configuration.ts`. */

export type { Applied, TrackedApply } from "./apply-configuration.ts";
export { UntypedValueError } from "./check.ts";
export { compareValues } from "./comparison.ts";
export type { Comparison } from "./comparison.ts";
export { containsApplied } from "./containment.ts";
export { conflictCause, describeConflicts } from "./conflict.ts";
export type { FieldConflict } from "./conflict.ts";
export { applyFor } from "./last-applied.ts";
export { describePath } from "./element.ts";
export type { FieldPath, PathElement } from "./element.ts";
export { FieldSet } from "./field-set.ts";
export type { FieldPattern } from "./field-set.ts";
export { encodeFields } from "./fields-v1.ts";
export { decodeOwners, encodeOwners, isReset, ManagedFieldsError, ownerId } from "./owner.ts";
export type { Operation, Owner, OwnerName, Owners } from "./owner.ts";
export type { TrackedKind, VersionedValue } from "./ownership.ts";
export { fieldsOfValue } from "./value-fields.ts";
export { updateOwners } from "./update-owners.ts";
export type { TrackedUpdate } from "./update-owners.ts";
export { objectType } from "./value-type.ts";
export type { ValueType } from "./value-type.ts";
