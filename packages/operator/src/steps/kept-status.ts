import { DeclarationError, isDeleting } from "@levelset/core";
import type { AnyCustomKind, StatusOf } from "@levelset/core";
import { ok } from "../engine/index.ts";
import type { OutputStep, Req, Step } from "../engine/index.ts";

/** Status fields of a kind that a step keeps. */
export type KeptFields<K extends AnyCustomKind> = readonly (keyof StatusOf<K> & string)[];

/**
 * Returns the declaration of the status fields that a step keeps: they are carried over from run to run while the object
 * exists, and dropped when it is deleted.
 */
export function keepPhases<K extends AnyCustomKind>(
  step: string,
  { keep = [], status }: { readonly keep?: KeptFields<K>; readonly status?: unknown },
  preserveStatus: KeptFields<K> = [],
): Pick<Step<K>, "preserveStatus" | "post"> {
  if (keep.length > 0 && status === undefined)
    throw new DeclarationError(`step ${step}: keep names fields that status writes, but there is no status`);
  if (keep.length === 0) return preserveStatus.length === 0 ? {} : { preserveStatus };
  return {
    preserveStatus: [...new Set([...preserveStatus, ...keep])],
    post: (req) => {
      if (isDeleting(req.object)) dropKept(req, keep);
      return ok();
    },
  };
}

/** Clears the kept fields, because their source is gone or is about to write them anew. */
export function dropKept<K extends AnyCustomKind, Used extends OutputStep<unknown>>(
  req: Pick<Req<K, Used>, "status">,
  keep: KeptFields<K> = [],
): void {
  // The fields are those of the kind's status.
  const draft = req.status as Record<string, unknown>;
  for (const field of keep) draft[field] = undefined;
}
