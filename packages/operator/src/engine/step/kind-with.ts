import type { CustomKind } from "@levelset/core";

/** Any kind that has at least these fields in its spec and status. */
export type KindWith<Spec, Status = unknown> = CustomKind<Spec, unknown, Status>;

/**
 * Returns a placeholder for every kind with these fields, so that one step can be declared for many kinds:
 *
 *     const nonZero = step(kindWith<{ divisor: number }>(), "NonZeroDivisor", { do: ({ spec }) => … });
 *
 * An operator of a kind that lacks a field does not compile with such a step. The placeholder carries types only; at
 * run time steps get the object's own kind.
 */
export function kindWith<Spec, Status = unknown>(): KindWith<Spec, Status> {
  // step() uses the kind for its types and never reads it.
  return Object.freeze({}) as KindWith<Spec, Status>;
}
