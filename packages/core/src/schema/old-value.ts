import { canonicalJson, isJsonObject } from "../json/index.ts";

/** The value before an update; `none` on create, or if it cannot be correlated with the new value. */
export type OldValue = { readonly kind: "value"; readonly value: unknown } | { readonly kind: "none" };

/** No old value. */
export const NO_OLD_VALUE: OldValue = { kind: "none" };

/** Wraps an old value, which may be undefined. */
export function oldValueOf(old: unknown): OldValue {
  return old === undefined ? NO_OLD_VALUE : { kind: "value", value: old };
}

/** Returns a field of an old value. */
export function oldField(before: OldValue, name: string): OldValue {
  if (before.kind === "none" || !isJsonObject(before.value) || !Object.hasOwn(before.value, name)) return NO_OLD_VALUE;
  return oldValueOf(before.value[name]);
}

/** Returns a function that finds the old item of a list item by its keys; it finds none if the list has no keys. */
export function correlateItems(before: OldValue, keys: readonly string[] | undefined): (item: unknown) => OldValue {
  if (keys === undefined || before.kind === "none" || !Array.isArray(before.value)) return () => NO_OLD_VALUE;
  const earlier = new Map((before.value as readonly unknown[]).map((item) => [keyText(item, keys), item]));
  return (item) => {
    const key = keyText(item, keys);
    return earlier.has(key) ? { kind: "value", value: earlier.get(key) } : NO_OLD_VALUE;
  };
}

function keyText(item: unknown, keys: readonly string[]): string {
  if (!isJsonObject(item)) return "";
  return canonicalJson(keys.map((key) => (Object.hasOwn(item, key) ? item[key] : null)));
}
