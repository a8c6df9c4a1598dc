import { formatKey, objectKeyOf } from "@levelset/core";
import { childFinalizerName, parseApiVersion } from "@levelset/core/internal";
import type { Kind, KubeObject } from "@levelset/core";
import { combineResults, disownChild, ok } from "../../engine/index.ts";
import type { Result } from "../../engine/index.ts";
import { creatingStepOf } from "./child-manifest.ts";
import type { ChildReq } from "./child-req.ts";
import { deleteChild } from "./delete-child.ts";

/** Deletes the children of a step, except those to keep. Ok once all of them are gone. */
export async function deleteChildren<C extends Kind>(
  req: ChildReq,
  kind: C,
  step: string,
  keep: readonly KubeObject[] = [],
): Promise<Result<undefined>> {
  const kept = new Set(keep.map((child) => formatKey(objectKeyOf(child))));
  const results: Result<undefined>[] = [];
  for (const made of [...req.owned(kind), ...req.stripped(kind)]) {
    if (creatingStepOf(made) !== step || kept.has(formatKey(objectKeyOf(made)))) continue;
    results.push(await deleteChild(req, kind, made));
  }
  const result = combineResults(results);
  return result.kind === "ok" ? ok() : result;
}

/**
 * Cleans up the children of a step when their owner is deleted: deletes them, or leaves them without their owner if the
 * owner is deleted with orphan propagation.
 */
export async function cleanUpChildren(req: ChildReq, kind: Kind, step: string): Promise<Result<undefined>> {
  if (!req.isOrphaning) return deleteChildren(req, kind, step);
  const owner = req.object;
  const finalizer = childFinalizerName({ group: parseApiVersion(owner.apiVersion).group, kind: owner.kind });
  for (const made of req.owned(kind)) {
    if (creatingStepOf(made) === step) await disownChild(req, kind, made, { owner, finalizer });
  }
  return ok();
}
