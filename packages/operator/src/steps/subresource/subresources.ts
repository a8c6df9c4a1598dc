import type { AnyCustomKind, NewOf, ObjectOf } from "@levelset/core";
import { step } from "../../engine/index.ts";
import type { Req, Result, OutputStep, Step } from "../../engine/index.ts";
import type { ChildStepOptions } from "../child/child.ts";
import { dropKept, keepPhases } from "../kept-status.ts";
import { ownershipPhases, reconcileSubCrs } from "./sub-crs.ts";

/** Options of {@link subresources}: those of `child`, for a set. */
export interface SubresourcesOptions<
  K extends AnyCustomKind,
  C extends AnyCustomKind,
  Uses extends readonly OutputStep<unknown>[],
> extends Omit<ChildStepOptions<K, C, Uses, NewOf<C>>, "desired" | "status"> {
  /**
   * Returns the desired sub CRs, without fields of other managers. Must be a pure function of the object and the values
   * that it reads.
   */
  readonly desired: (req: Req<K, Uses[number]>) => readonly NewOf<C>[];
  /** Writes information from the sub CRs to the status, once all are ready. */
  readonly status?: (req: Req<K, Uses[number]>, children: readonly ObjectOf<C>[]) => void;
}

/**
 * Reconciles a set of sub CRs and waits until each is ready for its own current generation. The worst of them
 * determines the result. Sub CRs that are no longer desired are deleted once all others are ready, protected ones too:
 * protection is against other clients.
 */
export function subresources<
  K extends AnyCustomKind,
  C extends AnyCustomKind,
  const Uses extends readonly OutputStep<unknown>[] = readonly [],
>(kind: K, name: string, options: SubresourcesOptions<K, C, Uses>): Step<K, readonly ObjectOf<C>[]> {
  const { condition, uses, kind: childKind, desired, status, keep, ...hold } = options;

  const reached = async (req: Req<K, Uses[number]>): Promise<Result<readonly ObjectOf<C>[]>> => {
    const result = await reconcileSubCrs(req, name, childKind, desired(req), hold);
    if (result.kind !== "ok") return result;
    dropKept(req, keep);
    status?.(req, result.value);
    return result;
  };

  return step<K, readonly ObjectOf<C>[], Uses>(kind, name, {
    ...(condition === undefined ? {} : { condition }),
    ...(uses === undefined ? {} : { uses }),
    ...ownershipPhases<K>(name, childKind, hold),
    ...keepPhases<K>(name, options),
    do: reached,
  });
}
