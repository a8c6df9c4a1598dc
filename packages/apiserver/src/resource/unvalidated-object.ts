import type { ObjectMeta } from "@levelset/core";

/** A decoded object: types are checked, values are not validated yet. */
export interface UnvalidatedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Partial<ObjectMeta>;
  readonly [field: string]: unknown;
}
