import { formatKey, keyOf } from "@levelset/core";
import type { Kind, KubeObject } from "@levelset/core";
import { combine, ok } from "../step/index.ts";
import type { Result } from "../step/index.ts";
import { makerOf } from "./child-manifest.ts";
import type { ChildReq } from "./child-req.ts";
import { removeChild } from "./remove-child.ts";

/** Removes the children that a step made, except those to keep. Ok once all of them are gone. */
export async function removeChildren<C extends Kind>(
  req: ChildReq,
  kind: C,
  step: string,
  keep: readonly KubeObject[] = [],
): Promise<Result<undefined>> {
  const kept = new Set(keep.map((child) => formatKey(keyOf(child))));
  const results: Result<undefined>[] = [];
  for (const made of req.owned(kind)) {
    if (makerOf(made) !== step || kept.has(formatKey(keyOf(made)))) continue;
    results.push(await removeChild(req, kind, made));
  }
  const result = combine(results);
  return result.kind === "ok" ? ok() : result;
}
