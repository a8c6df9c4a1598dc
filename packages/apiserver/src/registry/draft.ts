import type { ObjectMeta } from "@levelset/core";

/** An object as a writer gave it: of the right kind and shape, but not yet checked by value. */
export interface Draft {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Partial<ObjectMeta>;
  readonly [field: string]: unknown;
}
