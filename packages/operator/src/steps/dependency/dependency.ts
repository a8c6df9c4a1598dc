import { DeclarationError, isDeleting } from "@levelset/core";
import type { AnyCustomKind, Kind, ObjectOf } from "@levelset/core";
import {
  describeRef,
  ok,
  reference,
  refOf,
  refTo,
  referenceByLabels,
  step,
  terminal,
  wait,
} from "../../engine/index.ts";
import type { LabelQuery, ResultOptions, Req, Result, Step } from "../../engine/index.ts";
import { collectResults } from "../collect-results.ts";
import { dropKept, keepPhases } from "../kept-status.ts";
import type { KeptFields } from "../kept-status.ts";
import { dependencyReady } from "./dependency-ready.ts";
import { describeObjects, selected } from "../selected.ts";

/** Options of every dependency. */
export interface DependencyCommon<C extends Kind> {
  readonly condition?: string;
  /** Kind of the dependency: a declared kind, a built-in one, or one of another project. */
  readonly kind: C;
  /** True if a person must create it: its absence is then a Warning. Default: false, it is expected to appear. */
  readonly mustExist?: boolean;
}

/** Options of {@link dependency} on one object. */
export type DependencyOptions<K extends AnyCustomKind, C extends Kind> = DependencyCommon<C> & {
  /** Writes information from it to the status, once it is ready. */
  readonly status?: (req: Req<K, never>, other: ObjectOf<C>) => void;
  /**
   * Fields that `status` writes and that keep their value while it is not ready. They are dropped when the object
   * is deleted. Default: none, the status has only what the run has found.
   */
  readonly keep?: KeptFields<K>;
} & (
    | {
        /** Returns its name from the object. It is in the same namespace, or cluster-scoped. */
        readonly name: (object: ObjectOf<K>) => string | undefined;
        readonly labels?: never;
        readonly match?: never;
      }
    | {
        /** Labels that select it: in the same namespace, or anywhere if its kind or the object is cluster-scoped. */
        readonly labels: (object: ObjectOf<K>) => LabelQuery | undefined;
        readonly name?: never;
        /** Number of objects that the labels may select. Default: one; several are reported by name. */
        readonly match?: "one";
      }
  );

/** Options of {@link dependency} on all objects that labels select. */
export interface DependencySetOptions<K extends AnyCustomKind, C extends Kind> extends DependencyCommon<C> {
  /** Labels that select them: in the same namespace, or anywhere if their kind or the object is cluster-scoped. */
  readonly labels: (object: ObjectOf<K>) => LabelQuery | undefined;
  readonly name?: never;
  /** All selected objects, at least one, must be ready. */
  readonly match: "all";
  /** Writes information from them to the status, once all are ready. They are sorted by name. */
  readonly status?: (req: Req<K, never>, others: readonly ObjectOf<C>[]) => void;
  /**
   * Fields that `status` writes and that keep their value while one of them is not ready. They are dropped when the object
   * is deleted. Default: none, the status has only what the run has found.
   */
  readonly keep?: KeptFields<K>;
}

/**
 * Waits for an object of another client: ok once it exists and is ready for its current generation. Its Ready
 * condition, if any, becomes the condition of the step. Its changes enqueue the object, and so do objects that start or
 * stop matching. It is never written.
 *
 * A built-in kind is ready by its own rules: a Deployment that is rolled out, a Job that has completed, a claim that is
 * bound. One without a status, such as a Secret, is ready once it exists. An object that is being deleted is never
 * ready.
 *
 * Labels must select one object: several are a Warning with reason Ambiguous, which names them. Objects that are being
 * deleted are ignored if there is another one.
 */
export function dependency<K extends AnyCustomKind, C extends Kind>(
  kind: K,
  name: string,
  options: DependencySetOptions<K, C>,
): Step<K, readonly ObjectOf<C>[]>;
/** The same for one object. This overload is last because compilers report errors for the last overload. */
export function dependency<K extends AnyCustomKind, C extends Kind>(
  kind: K,
  name: string,
  options: DependencyOptions<K, C>,
): Step<K, ObjectOf<C>>;
export function dependency<K extends AnyCustomKind, C extends Kind>(
  kind: K,
  name: string,
  options: DependencyOptions<K, C> | DependencySetOptions<K, C>,
): Step<K, ObjectOf<C> | readonly ObjectOf<C>[]> {
  checkOptions(name, options);
  const { condition, kind: otherKind } = options;
  const common = { ...(condition === undefined ? {} : { condition }), ...keepPhases<K>(name, options) };
  if (options.match === "all") {
    const { labels } = options;
    return step<K, readonly ObjectOf<C>[]>(kind, name, {
      ...common,
      reads: [referenceByLabels(kind, otherKind, labels)],
      do: (req) => allReady(req, name, options),
    });
  }
  const { name: nameOf, labels } = options;
  return step<K, ObjectOf<C>>(kind, name, {
    ...common,
    reads: [labels === undefined ? reference(kind, otherKind, nameOf) : referenceByLabels(kind, otherKind, labels)],
    do: (req) => oneReady(req, name, options),
  });
}

/** Repeats the checks of the compiler for declarations in JavaScript. */
function checkOptions(
  step: string,
  { name, labels, match = "one" }: { readonly name?: unknown; readonly labels?: unknown; readonly match?: string },
): void {
  const problem = (text: string): DeclarationError => new DeclarationError(`step ${step}: ${text}`);
  if (name === undefined && labels === undefined) throw problem("give name or labels");
  if (name !== undefined && labels !== undefined) throw problem("name and labels exclude each other: give one of them");
  if (match !== "one" && match !== "all") throw problem(`match is "one" or "all", not ${JSON.stringify(match)}`);
  if (match === "all" && labels === undefined) throw problem('a name selects one object: match "all" needs labels');
}

async function oneReady<K extends AnyCustomKind, C extends Kind>(
  req: Req<K, never>,
  step: string,
  options: DependencyOptions<K, C>,
): Promise<Result<ObjectOf<C>>> {
  const found = options.labels === undefined ? named(req, step, options) : matching(req, step, options);
  if (found.kind !== "ok") return found;
  const result = await dependencyReady(req, options.kind, found.value);
  if (result.kind !== "ok") return result;
  dropKept(req, options.keep);
  options.status?.(req, result.value);
  return result;
}

async function allReady<K extends AnyCustomKind, C extends Kind>(
  req: Req<K, never>,
  step: string,
  options: DependencySetOptions<K, C>,
): Promise<Result<readonly ObjectOf<C>[]>> {
  const { kind, labels } = options;
  const found = selected(req, step, kind, labels(req.object));
  if (found.kind !== "ok") return found;
  const { objects, text } = found.value;
  if (objects.length === 0) return missing(`no ${kind.singular} with the labels ${text} exists`, options);
  const results = await Promise.all(objects.map((object) => dependencyReady(req, kind, object)));
  const result = collectResults(results);
  if (result.kind !== "ok") return result;
  dropKept(req, options.keep);
  options.status?.(req, result.value);
  return result;
}

/** Returns the object with the given name. */
function named<K extends AnyCustomKind, C extends Kind>(
  req: Req<K, never>,
  step: string,
  options: Extract<DependencyOptions<K, C>, { readonly labels?: never }>,
): Result<ObjectOf<C>> {
  const { kind } = options;
  const name = options.name(req.object) ?? "";
  if (name === "") return terminal(`step ${step}: the object names no ${kind.kind}`);
  if (kind.scope === "Namespaced" && req.namespace === undefined) {
    const problem = `${kind.kind} ${name} is namespaced and the object is not: select it by labels`;
    return terminal(`step ${step}: ${problem}`);
  }
  const key = kind.scope === "Cluster" || req.namespace === undefined ? { name } : { namespace: req.namespace, name };
  const object = req.get(kind, key);
  const ref = refTo(kind, key);
  return object === undefined ? missing(`${describeRef(ref)} does not exist`, options, { on: [ref] }) : ok(object);
}

/** Returns the one object that the labels select. */
function matching<K extends AnyCustomKind, C extends Kind>(
  req: Req<K, never>,
  step: string,
  options: Extract<DependencyOptions<K, C>, { readonly name?: never }>,
): Result<ObjectOf<C>> {
  const { kind, labels } = options;
  const found = selected(req, step, kind, labels(req.object));
  if (found.kind !== "ok") return found;
  const { objects, text } = found.value;
  const remaining = objects.filter((object) => !isDeleting(object));
  const counted = remaining.length === 0 ? objects : remaining;
  const [object, ...others] = counted;
  if (object === undefined) return missing(`no ${kind.singular} with the labels ${text} exists`, options);
  if (others.length === 0) return ok(object);
  return wait(
    `${counted.length} ${kind.plural} have the labels ${text}, but one is needed: ${describeObjects(counted)}`,
    { severity: "Warning", reason: "Ambiguous", on: counted.slice(0, ON_MAX).map(refOf) },
  );
}

/** Maximum number of objects of an ambiguous selection that a result refers to. */
const ON_MAX = 5;

function missing(
  message: string,
  { mustExist = false }: DependencyCommon<Kind>,
  remark: ResultOptions = {},
): Result<never> {
  return wait(message, { severity: mustExist ? "Warning" : "Info", ...remark });
}
