import type { ApiObject } from "../store/index.ts";
import type { UnvalidatedObject } from "../resource/index.ts";

/** The type of a decoded, unvalidated value: every field is optional, and string enums are plain strings. */
export type Unvalidated<T> = T extends readonly (infer Item)[]
  ? readonly Unvalidated<Item>[]
  : T extends object
    ? { readonly [K in keyof T]?: Unvalidated<T[K]> | undefined }
    : T extends string
      ? string
      : T;

/** Returns a field with its declared type. Decoding has checked the types and dropped unknown fields. */
export function unvalidatedField<T>(object: UnvalidatedObject | ApiObject, field: string): Unvalidated<T> | undefined {
  // The only cast from decoded data to declared types.
  return object[field] as Unvalidated<T> | undefined;
}

/** Returns the object without undefined fields. */
export function omitUndefined<T extends object>(object: T): T {
  // The cast is safe: only fields that may be undefined are removed.
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T;
}
