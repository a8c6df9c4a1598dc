import type { ApiObject } from "../../store/index.ts";
import type { Draft } from "../draft.ts";

/**
 * A type as a decoded but unchecked object has it: every field has its type if it is there at all, and texts may be any text.
 */
export type Loose<T> = T extends readonly (infer Item)[]
  ? readonly Loose<Item>[]
  : T extends object
    ? { readonly [K in keyof T]?: Loose<T[K]> | undefined }
    : T extends string
      ? string
      : T;

/** A field of an object by its declared type. Decoding has checked the types, and dropped what is not declared. */
export function fieldOf<T>(object: Draft | ApiObject, field: string): Loose<T> | undefined {
  // The one place where the word of decoding is taken for it.
  return object[field] as Loose<T> | undefined;
}

/** The fields of `object` without those whose value is undefined. */
export function present<T extends object>(object: T): T {
  // Only absent values go, which the type allows for wherever a value may be undefined.
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T;
}
