import type { AnyCustomKind, Kind, NewOf, ObjectOf } from "@levelset/core";
import { ok, step } from "../../engine/index.ts";
import type { Req, Result, OutputStep, Step } from "../../engine/index.ts";
import { dropKept, keepPhases } from "../kept-status.ts";
import type { KeptFields } from "../kept-status.ts";
import { applyChild } from "./apply-child.ts";
import { childKinds } from "./child-kinds.ts";
import { cleanUpChildren, deleteChildren } from "./delete-children.ts";

/** Options of {@link child}. */
export interface ChildStepOptions<
  K extends AnyCustomKind,
  C extends Kind,
  Uses extends readonly OutputStep<unknown>[],
  Desired extends NewOf<C> | undefined,
> {
  readonly condition?: string;
  readonly uses?: Uses;
  /** Kind of the child. */
  readonly kind: C;
  /**
   * True if the child has an owner reference, so that the cluster garbage-collects it with the object. A child in
   * another namespace, or a cluster-scoped child of a namespaced object, cannot have one. Without it the object gets a
   * finalizer, and the step deletes the child before the object is gone. Default: true.
   */
  readonly owned?: boolean;
  /**
   * True if the child must not be deleted while the object exists, because recreating it would lose data. Default:
   * false.
   */
  readonly protect?: boolean;
  /** True if an existing object without an owner is adopted. Default: false, it is not touched and reported. */
  readonly adopt?: boolean;
  /**
   * Returns the desired child without fields of other managers; undefined if there should be none. In the object's
   * namespace unless it names another. Must be a pure function of the object and the values that it reads: it is called
   * in every run.
   */
  readonly desired: (req: Req<K, Uses[number]>) => Desired;
  /** Writes information from the child to the status, whenever the child is as desired. */
  readonly status?: (req: Req<K, Uses[number]>, child: ObjectOf<C>) => void;
  /**
   * Fields that `status` writes and that keep their value in runs that do not call it, such as an outage. They are
   * dropped when `desired` returns undefined, or when the object is deleted. Default: none, the status has only what
   * the run has found.
   */
  readonly keep?: KeptFields<K>;
}

/**
 * Reconciles one child of the object by server-side apply: fields that are no longer desired are removed, fields of
 * other managers stay, and changes or deletions by other clients are corrected. A child that is up to date costs no
 * request.
 *
 * Changes and deletes only objects that this step of this object created. A foreign object under the child's name is
 * not touched, even if it appears between our read and our write, and is reported with reason NotOurs. When the name
 * changes, the new child is created and then the old one deleted. Before removing or renaming the step, let `desired`
 * return undefined in one release: no other step manages its children.
 */
export function child<
  K extends AnyCustomKind,
  C extends Kind,
  const Uses extends readonly OutputStep<unknown>[] = readonly [],
>(kind: K, name: string, options: ChildStepOptions<K, C, Uses, NewOf<C>>): Step<K, ObjectOf<C>>;
/** The same for a child that is not always desired: the output is undefined while there is none. */
export function child<
  K extends AnyCustomKind,
  C extends Kind,
  const Uses extends readonly OutputStep<unknown>[] = readonly [],
>(kind: K, name: string, options: ChildStepOptions<K, C, Uses, NewOf<C> | undefined>): Step<K, ObjectOf<C> | undefined>;
export function child<
  K extends AnyCustomKind,
  C extends Kind,
  const Uses extends readonly OutputStep<unknown>[] = readonly [],
>(
  kind: K,
  name: string,
  options: ChildStepOptions<K, C, Uses, NewOf<C> | undefined>,
): Step<K, ObjectOf<C> | undefined> {
  const { condition, uses, kind: childKind, owned = true, protect = false, adopt = false, desired, status } = options;
  const { keep } = options;

  const reached = async (req: Req<K, Uses[number]>): Promise<Result<ObjectOf<C> | undefined>> => {
    const manifest = desired(req);
    if (manifest === undefined) {
      dropKept(req, keep);
      return deleteChildren(req, childKind, name);
    }
    const applied = await applyChild(req, childKind, manifest, { step: name, owned, protect, adopt });
    if (applied.kind === "refused") return applied.result;
    dropKept(req, keep);
    status?.(req, applied.object);
    const rest = await deleteChildren(req, childKind, name, [applied.object]);
    return rest.kind === "ok" ? ok(applied.object) : rest;
  };

  return step<K, ObjectOf<C> | undefined, Uses>(kind, name, {
    ...(condition === undefined ? {} : { condition }),
    ...(uses === undefined ? {} : { uses }),
    ...childKinds<K>(name, childKind, protect),
    ...keepPhases<K>(name, options),
    do: reached,
    ...(owned ? {} : { cleanup: (req) => cleanUpChildren(req, childKind, name) }),
  });
}
