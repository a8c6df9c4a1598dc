import { formatKey } from "@levelset/core";
import type { AnyCustomKind, Kind, NewOf, ObjectOf } from "@levelset/core";
import { ok, terminal } from "../../engine/index.ts";
import type { Result, Step } from "../../engine/index.ts";
import { collectResults } from "../collect-results.ts";
import { applyChild } from "../child/apply-child.ts";
import type { ChildStepOptions } from "../child/child.ts";
import { childKinds } from "../child/child-kinds.ts";
import { childReady } from "../child/child-ready.ts";
import type { ChildReq } from "../child/child-req.ts";
import { cleanUpChildren, deleteChildren } from "../child/delete-children.ts";

/** Ownership of sub CRs. */
export type SubCrOwnership = Pick<
  ChildStepOptions<AnyCustomKind, Kind, readonly [], undefined>,
  "owned" | "protect" | "adopt"
>;

/**
 * Reconciles all sub CRs of a step concurrently, and returns their combined result. Once all are ready, deletes those
 * that are no longer desired.
 */
export async function reconcileSubCrs<C extends AnyCustomKind>(
  req: ChildReq,
  step: string,
  kind: C,
  desired: readonly NewOf<C>[],
  hold: SubCrOwnership,
): Promise<Result<readonly ObjectOf<C>[]>> {
  const twice = repeated(desired.map(({ metadata }) => formatKey({ ...metadata, name: metadata.name ?? "" })));
  if (twice !== undefined) return terminal(`step ${step}: two of the desired ${kind.plural} are named ${twice}`);
  const results: Result<ObjectOf<C>>[] = [];
  for (const manifest of desired) results.push(await reconcileSubCr(req, step, kind, manifest, hold));
  const all = collectResults(results);
  if (all.kind !== "ok") return all;
  const rest = await deleteChildren(req, kind, step, all.value);
  return rest.kind === "ok" ? ok(all.value) : rest;
}

/** Reconciles one sub CR of a step and returns its readiness. */
export async function reconcileSubCr<C extends AnyCustomKind>(
  req: ChildReq,
  step: string,
  kind: C,
  desired: NewOf<C>,
  { owned = true, protect = false, adopt = false }: SubCrOwnership,
): Promise<Result<ObjectOf<C>>> {
  const applied = await applyChild(req, kind, desired, { step, owned, protect, adopt });
  return applied.kind === "refused" ? applied.result : childReady(req, kind, applied.object);
}

/** Returns a step's declaration of its sub CRs and its cleanup. */
export function ownershipPhases<K extends AnyCustomKind>(
  step: string,
  kind: Kind,
  { owned = true, protect = false }: SubCrOwnership,
): Pick<Step<K>, "owns" | "protects" | "isProtected" | "cleanup"> {
  return {
    ...childKinds<K>(step, kind, protect),
    ...(owned ? {} : { cleanup: (req: ChildReq) => cleanUpChildren(req, kind, step) }),
  };
}

function repeated(names: readonly string[]): string | undefined {
  return names.find((name, position) => names.indexOf(name) !== position);
}
