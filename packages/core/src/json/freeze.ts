/**
 * Freezes `value` deeply and returns it. Frozen parts are assumed to be frozen deeply, so freezing a new object that
 * shares most of an old one is cheap.
 */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const member of Object.values(value)) deepFreeze(member);
  return value;
}
