import { formatKey } from "@levelset/core";
import type { AnyCustomKind, Kind, NewOf, ObjectOf } from "@levelset/core";
import { ok, terminal } from "../step/index.ts";
import type { Result, Step } from "../step/index.ts";
import { allOf } from "./all-of.ts";
import { applyChild } from "./apply-child.ts";
import type { ChildStepOptions } from "./child.ts";
import { childKinds } from "./child-kinds.ts";
import { childReady } from "./child-ready.ts";
import type { ChildReq } from "./child-req.ts";
import { removeChildren } from "./remove-children.ts";

/** How sub CRs hang on the object. */
export type SubCrHold = Pick<
  ChildStepOptions<AnyCustomKind, Kind, readonly [], undefined>,
  "owned" | "protect" | "adopt"
>;

/**
 * Brings all sub CRs of a step to what is desired, without waiting for one before the next, and says how far they are together. Once
 * all are ready, removes those that are no longer desired.
 */
export async function keepSubCrs<C extends AnyCustomKind>(
  req: ChildReq,
  step: string,
  kind: C,
  desired: readonly NewOf<C>[],
  hold: SubCrHold,
): Promise<Result<readonly ObjectOf<C>[]>> {
  const twice = repeated(desired.map(({ metadata }) => formatKey({ ...metadata, name: metadata.name ?? "" })));
  if (twice !== undefined) return terminal(`step ${step}: two of the desired ${kind.plural} are named ${twice}`);
  const results: Result<ObjectOf<C>>[] = [];
  for (const manifest of desired) results.push(await keepSubCr(req, step, kind, manifest, hold));
  const all = allOf(results);
  if (all.kind !== "ok") return all;
  const rest = await removeChildren(req, kind, step, all.value);
  return rest.kind === "ok" ? ok(all.value) : rest;
}

/** Brings one sub CR of a step to what is desired, and says how far it is. */
export async function keepSubCr<C extends AnyCustomKind>(
  req: ChildReq,
  step: string,
  kind: C,
  desired: NewOf<C>,
  { owned = true, protect = false, adopt = false }: SubCrHold,
): Promise<Result<ObjectOf<C>>> {
  const applied = await applyChild(req, kind, desired, { step, owned, protect, adopt });
  return applied.kind === "refused" ? applied.result : childReady(req, kind, applied.object);
}

/** What a step declares of its sub CRs, and what it does about them on deletion. */
export function holdPhases<K extends AnyCustomKind>(
  step: string,
  kind: Kind,
  { owned = true, protect = false }: SubCrHold,
): Pick<Step<K>, "owns" | "protects" | "isProtected" | "cleanup"> {
  return {
    ...childKinds<K>(step, kind, protect),
    ...(owned ? {} : { cleanup: (req: ChildReq) => removeChildren(req, kind, step) }),
  };
}

function repeated(names: readonly string[]): string | undefined {
  return names.find((name, position) => names.indexOf(name) !== position);
}
