import { isConflict, isInvalid } from "@levelset/core";

/**
 * Returns whether a write failed because the object changed since our read: Conflict, or Invalid for a failed `test` of
 * a JSON patch.
 */
export function isWriteConflict(error: unknown): boolean {
  return isConflict(error) || isInvalid(error);
}
