import { isConflict, isInvalid } from "@levelset/core";

/** Whether a write failed because somebody wrote the object since we looked. The server calls a guard in a JSON patch that does not hold Invalid. */
export function isStale(error: unknown): boolean {
  return isConflict(error) || isInvalid(error);
}
