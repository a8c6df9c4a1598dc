import type { CustomKind } from "@levelset/core";

/** Any kind that has at least these fields in its spec and status. */
export type KindWith<Spec, Status = unknown> = CustomKind<Spec, unknown, Status>;

/**
 * Stands for every kind with these fields where a step is declared, so that one step serves many kinds:
 *
 *     const nonZero = step(kindWith<{ divisor: number }>(), "NonZeroDivisor", { do: ({ spec }) => … });
 *
 * An operator of a kind that lacks a field does not compile with it. Exists for the compiler alone: steps see the object's real kind.
 */
export function kindWith<Spec, Status = unknown>(): KindWith<Spec, Status> {
  // Steps take a kind for its types and never look at it.
  return Object.freeze({}) as KindWith<Spec, Status>;
}
