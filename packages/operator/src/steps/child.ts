import type { AnyCustomKind, Kind, NewOf, ObjectOf } from "@levelset/core";
import { ok, step } from "../step/index.ts";
import type { Req, Result, Source, Step } from "../step/index.ts";
import { applyChild } from "./apply-child.ts";
import { childKinds } from "./child-kinds.ts";
import { removeChildren } from "./remove-children.ts";

/** What `child` takes. */
export interface ChildStepOptions<
  K extends AnyCustomKind,
  C extends Kind,
  Uses extends readonly Source<unknown>[],
  Desired extends NewOf<C> | undefined,
> {
  readonly condition?: string;
  readonly uses?: Uses;
  /** What the child is. */
  readonly kind: C;
  /**
   * Whether the child has an owner reference, so that the cluster collects it with the object. A child in another namespace, or a
   * cluster-scoped child of a namespaced object, cannot have one. Without it the object gets a finalizer, and the step removes
   * the child before the object goes. Default: true.
   */
  readonly owned?: boolean;
  /** Whether the child must not vanish while the object lives, because making it anew would lose data. Default: false. */
  readonly protect?: boolean;
  /** Whether an object that is there already and belongs to nobody becomes the child. Default: false, it is left alone and reported. */
  readonly adopt?: boolean;
  /**
   * The child as it should be, fields of others left out; undefined when there should be none. In the object's namespace unless it names
   * another. Must be a function of the object and of what it reads: it is asked in every run.
   */
  readonly desired: (req: Req<K, Uses[number]>) => Desired;
  /** Writes what is known of the child into the status, whenever the child is as desired. */
  readonly status?: (req: Req<K, Uses[number]>, child: ObjectOf<C>) => void;
}

/**
 * Keeps one child of the object as desired, by server-side apply: fields that are no longer desired are taken back, fields of others
 * stay, what somebody changed or deleted is brought back. A child as desired costs no request.
 *
 * Only what this step of this very object made is ever changed or deleted. An object of somebody else under the child's name is left as
 * it is, also when it appears between our look and our write, and is reported with reason NotOurs. When the name changes, the new
 * child is made and then the old one removed. Before the step itself is removed or renamed, let `desired` answer undefined in one
 * release: nobody else looks after what it made.
 */
export function child<
  K extends AnyCustomKind,
  C extends Kind,
  const Uses extends readonly Source<unknown>[] = readonly [],
>(kind: K, name: string, options: ChildStepOptions<K, C, Uses, NewOf<C>>): Step<K, ObjectOf<C>>;
/** The same for a child that is not always desired: the value handed over is undefined while there is none. */
export function child<
  K extends AnyCustomKind,
  C extends Kind,
  const Uses extends readonly Source<unknown>[] = readonly [],
>(kind: K, name: string, options: ChildStepOptions<K, C, Uses, NewOf<C> | undefined>): Step<K, ObjectOf<C> | undefined>;
export function child<
  K extends AnyCustomKind,
  C extends Kind,
  const Uses extends readonly Source<unknown>[] = readonly [],
>(
  kind: K,
  name: string,
  options: ChildStepOptions<K, C, Uses, NewOf<C> | undefined>,
): Step<K, ObjectOf<C> | undefined> {
  const { condition, uses, kind: childKind, owned = true, protect = false, adopt = false, desired, status } = options;

  const reached = async (req: Req<K, Uses[number]>): Promise<Result<ObjectOf<C> | undefined>> => {
    const manifest = desired(req);
    if (manifest === undefined) return removeChildren(req, childKind, name);
    const applied = await applyChild(req, childKind, manifest, { step: name, owned, protect, adopt });
    if (applied.kind === "refused") return applied.result;
    status?.(req, applied.object);
    const rest = await removeChildren(req, childKind, name, [applied.object]);
    return rest.kind === "ok" ? ok(applied.object) : rest;
  };

  return step<K, ObjectOf<C> | undefined, Uses>(kind, name, {
    ...(condition === undefined ? {} : { condition }),
    ...(uses === undefined ? {} : { uses }),
    ...childKinds<K>(name, childKind, protect),
    do: reached,
    ...(owned ? {} : { cleanup: (req) => removeChildren(req, childKind, name) }),
  });
}
