/**
 * Freezes `value` and all it holds, and returns it. What is frozen already is taken to be frozen throughout, which
 * makes freezing a new object that shares most of an old one cheap.
 */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const member of Object.values(value)) deepFreeze(member);
  return value;
}
