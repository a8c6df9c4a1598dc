import type { AnyCustomKind, NewOf, ObjectOf } from "@levelset/core";
import { step } from "../step/index.ts";
import type { Req, Result, Source, Step } from "../step/index.ts";
import type { ChildStepOptions } from "./child.ts";
import { holdPhases, keepSubCrs } from "./sub-crs.ts";

/** What `subresources` takes: what `child` takes, but for a set. */
export interface SubresourcesOptions<
  K extends AnyCustomKind,
  C extends AnyCustomKind,
  Uses extends readonly Source<unknown>[],
> extends Omit<ChildStepOptions<K, C, Uses, NewOf<C>>, "desired" | "status"> {
  /** The sub CRs as they should be, fields of others left out. Must be a function of the object and of what it reads. */
  readonly desired: (req: Req<K, Uses[number]>) => readonly NewOf<C>[];
  /** Writes what is known of them into the status, once all are ready. */
  readonly status?: (req: Req<K, Uses[number]>, children: readonly ObjectOf<C>[]) => void;
}

/**
 * Keeps a set of sub CRs as desired and waits until each is ready for its own present generation. The worst of them speaks for the set.
 * Those that are no longer desired are removed once all others are ready, protected ones too: protection is against others.
 */
export function subresources<
  K extends AnyCustomKind,
  C extends AnyCustomKind,
  const Uses extends readonly Source<unknown>[] = readonly [],
>(kind: K, name: string, options: SubresourcesOptions<K, C, Uses>): Step<K, readonly ObjectOf<C>[]> {
  const { condition, uses, kind: childKind, desired, status, ...hold } = options;

  const reached = async (req: Req<K, Uses[number]>): Promise<Result<readonly ObjectOf<C>[]>> => {
    const result = await keepSubCrs(req, name, childKind, desired(req), hold);
    if (result.kind === "ok") status?.(req, result.value);
    return result;
  };

  return step<K, readonly ObjectOf<C>[], Uses>(kind, name, {
    ...(condition === undefined ? {} : { condition }),
    ...(uses === undefined ? {} : { uses }),
    ...holdPhases<K>(name, childKind, hold),
    do: reached,
  });
}
