import type { AnyCustomKind, NewOf, ObjectOf } from "@levelset/core";
import { ok, step } from "../../engine/index.ts";
import type { Req, Result, OutputStep, Step } from "../../engine/index.ts";
import type { ChildStepOptions } from "../child/child.ts";
import { dropKept, keepPhases } from "../kept-status.ts";
import { ownershipPhases, reconcileSubCrs } from "./sub-crs.ts";

/** Options of {@link subresource}: those of `child`. */
export interface SubresourceOptions<
  K extends AnyCustomKind,
  C extends AnyCustomKind,
  Uses extends readonly OutputStep<unknown>[],
  Desired extends NewOf<C> | undefined,
> extends Omit<ChildStepOptions<K, C, Uses, Desired>, "status"> {
  /** Writes information from the sub CR to the status, once it is ready. */
  readonly status?: (req: Req<K, Uses[number]>, child: ObjectOf<C>) => void;
}

/**
 * Reconciles one sub CR of the object, as `child` does, and waits until it is ready for its own current generation: a
 * Ready of an older spec is ignored, and one of a newer spec means that the cached object is stale. Severity, reason
 * and message of its Ready become ours. Its value is passed on only when it is ready, so that no stale value is used.
 */
export function subresource<
  K extends AnyCustomKind,
  C extends AnyCustomKind,
  const Uses extends readonly OutputStep<unknown>[] = readonly [],
>(kind: K, name: string, options: SubresourceOptions<K, C, Uses, NewOf<C>>): Step<K, ObjectOf<C>>;
/** The same for a sub CR that is not always desired: the output is undefined while there is none. */
export function subresource<
  K extends AnyCustomKind,
  C extends AnyCustomKind,
  const Uses extends readonly OutputStep<unknown>[] = readonly [],
>(
  kind: K,
  name: string,
  options: SubresourceOptions<K, C, Uses, NewOf<C> | undefined>,
): Step<K, ObjectOf<C> | undefined>;
export function subresource<
  K extends AnyCustomKind,
  C extends AnyCustomKind,
  const Uses extends readonly OutputStep<unknown>[] = readonly [],
>(
  kind: K,
  name: string,
  options: SubresourceOptions<K, C, Uses, NewOf<C> | undefined>,
): Step<K, ObjectOf<C> | undefined> {
  const { condition, uses, kind: childKind, desired, status, keep, ...hold } = options;

  const reached = async (req: Req<K, Uses[number]>): Promise<Result<ObjectOf<C> | undefined>> => {
    const manifest = desired(req);
    if (manifest === undefined) dropKept(req, keep);
    const result = await reconcileSubCrs(req, name, childKind, manifest === undefined ? [] : [manifest], hold);
    if (result.kind !== "ok") return result;
    const [child] = result.value;
    if (child === undefined) return ok(child);
    dropKept(req, keep);
    status?.(req, child);
    return ok(child);
  };

  return step<K, ObjectOf<C> | undefined, Uses>(kind, name, {
    ...(condition === undefined ? {} : { condition }),
    ...(uses === undefined ? {} : { uses }),
    ...ownershipPhases<K>(name, childKind, hold),
    ...keepPhases<K>(name, options),
    do: reached,
  });
}
