import type { AnyCustomKind, NewOf, ObjectOf } from "@levelset/core";
import { ok, step } from "../step/index.ts";
import type { Req, Result, Source, Step } from "../step/index.ts";
import type { ChildStepOptions } from "./child.ts";
import { holdPhases, keepSubCrs } from "./sub-crs.ts";

/** What `subresource` takes: what `child` takes. */
export interface SubresourceOptions<
  K extends AnyCustomKind,
  C extends AnyCustomKind,
  Uses extends readonly Source<unknown>[],
  Desired extends NewOf<C> | undefined,
> extends Omit<ChildStepOptions<K, C, Uses, Desired>, "status"> {
  /** Writes what is known of the sub CR into the status, once it is ready. */
  readonly status?: (req: Req<K, Uses[number]>, child: ObjectOf<C>) => void;
}

/**
 * Keeps one sub CR of the object as desired, as `child` does, and waits until it is ready for its own present generation: a Ready that
 * speaks of an older spec counts for nothing, and one of a newer spec than ours means that our copy is old. Severity, reason and
 * message of its Ready become ours. Its status is handed on only when it is ready, so nothing stale can be used.
 */
export function subresource<
  K extends AnyCustomKind,
  C extends AnyCustomKind,
  const Uses extends readonly Source<unknown>[] = readonly [],
>(kind: K, name: string, options: SubresourceOptions<K, C, Uses, NewOf<C>>): Step<K, ObjectOf<C>>;
/** The same for a sub CR that is not always desired: the value handed over is undefined while there is none. */
export function subresource<
  K extends AnyCustomKind,
  C extends AnyCustomKind,
  const Uses extends readonly Source<unknown>[] = readonly [],
>(
  kind: K,
  name: string,
  options: SubresourceOptions<K, C, Uses, NewOf<C> | undefined>,
): Step<K, ObjectOf<C> | undefined>;
export function subresource<
  K extends AnyCustomKind,
  C extends AnyCustomKind,
  const Uses extends readonly Source<unknown>[] = readonly [],
>(
  kind: K,
  name: string,
  options: SubresourceOptions<K, C, Uses, NewOf<C> | undefined>,
): Step<K, ObjectOf<C> | undefined> {
  const { condition, uses, kind: childKind, desired, status, ...hold } = options;

  const reached = async (req: Req<K, Uses[number]>): Promise<Result<ObjectOf<C> | undefined>> => {
    const manifest = desired(req);
    const result = await keepSubCrs(req, name, childKind, manifest === undefined ? [] : [manifest], hold);
    if (result.kind !== "ok") return result;
    const [child] = result.value;
    if (child !== undefined) status?.(req, child);
    return ok(child);
  };

  return step<K, ObjectOf<C> | undefined, Uses>(kind, name, {
    ...(condition === undefined ? {} : { condition }),
    ...(uses === undefined ? {} : { uses }),
    ...holdPhases<K>(name, childKind, hold),
    do: reached,
  });
}
