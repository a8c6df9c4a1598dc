import { canonicalJson, isJsonObject } from "../json/index.ts";

/** A value before an update; `none` on create, and where it cannot be matched with the value now. */
export type Before = { readonly kind: "value"; readonly value: unknown } | { readonly kind: "none" };

/** No value before. */
export const NONE_BEFORE: Before = { kind: "none" };

/** What an old value, if there is one, comes to. */
export function beforeOf(old: unknown): Before {
  return old === undefined ? NONE_BEFORE : { kind: "value", value: old };
}

/** A field of a value before. */
export function fieldBefore(before: Before, name: string): Before {
  if (before.kind === "none" || !isJsonObject(before.value) || !Object.hasOwn(before.value, name)) return NONE_BEFORE;
  return beforeOf(before.value[name]);
}

/** Finds the items of a list before by the fields that tell them apart; none where nothing does. */
export function itemsBefore(before: Before, keys: readonly string[] | undefined): (item: unknown) => Before {
  if (keys === undefined || before.kind === "none" || !Array.isArray(before.value)) return () => NONE_BEFORE;
  const earlier = new Map((before.value as readonly unknown[]).map((item) => [keyText(item, keys), item]));
  return (item) => {
    const key = keyText(item, keys);
    return earlier.has(key) ? { kind: "value", value: earlier.get(key) } : NONE_BEFORE;
  };
}

function keyText(item: unknown, keys: readonly string[]): string {
  if (!isJsonObject(item)) return "";
  return canonicalJson(keys.map((key) => (Object.hasOwn(item, key) ? item[key] : null)));
}
