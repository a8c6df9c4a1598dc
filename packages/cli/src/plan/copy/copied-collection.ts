import { kindId } from "@levelset/core";
import type { Kind } from "@levelset/core";
import type { ManagedOperator, Operator } from "@levelset/operator";

/** Objects of one kind that are copied, in all namespaces or in one. */
export interface CopiedCollection {
  readonly kind: Kind;
  /** Absent: all namespaces, or a cluster-scoped kind. */
  readonly namespace: string | undefined;
  /** Whether an operator reconciles the kind. Otherwise it only uses it. */
  readonly isOwn: boolean;
}

/**
 * Returns what the operators declare: their kinds, their children, and what they read and watch, each in the namespaces
 * of the operator. A collection of all namespaces includes those of single ones.
 */
export function copiedCollections(
  operators: readonly ManagedOperator[],
  namespaces: readonly string[] | undefined,
): readonly CopiedCollection[] {
  const own = new Set(operators.map(({ rbac }) => kindId(rbac.kind)));
  const all = operators.flatMap(({ rbac }) => {
    const places = rbac.namespaces ?? namespaces ?? [undefined];
    return [rbac.kind, ...rbac.owns, ...rbac.reads].flatMap((kind) =>
      (kind.scope === "Cluster" ? [undefined] : places).map((namespace) => ({
        kind: completeKind(kind),
        namespace,
        isOwn: own.has(kindId(kind)),
      })),
    );
  });
  const wide = new Set(all.filter(({ namespace }) => namespace === undefined).map(({ kind }) => kindId(kind)));
  const needed = all.filter(({ kind, namespace }) => namespace === undefined || !wide.has(kindId(kind)));
  return [...new Map(needed.map((each) => [`${kindId(each.kind)} ${each.namespace ?? ""}`, each])).values()];
}

/** Returns the kind of whole objects: the copy of an object of which the operator reads only the metadata is complete. */
function completeKind(kind: Kind): Kind {
  if (!("metadataOnly" in kind)) return kind;
  const { metadataOnly: _only, ...complete } = kind;
  return complete;
}

/** Returns the steps that watch kinds which they do not declare. */
export function dynamicSteps(operators: readonly ManagedOperator[]): readonly string[] {
  return operators
    .filter(hasPlan)
    .flatMap(({ plan }) =>
      plan.steps.flatMap(({ name, dynamicWatches = [] }) => (dynamicWatches.length === 0 ? [] : [name])),
    );
}

/** Reports whether an operator is made of steps. */
export function hasPlan(operator: ManagedOperator): operator is Operator {
  return "plan" in operator;
}

const READ_VERBS = new Set(["get", "list", "watch", "*"]);

/**
 * Returns the resources that steps may read by the rules under `rbac`, but whose kinds are not declared. The copy does
 * not contain them.
 */
export function undeclaredReads(
  operators: readonly ManagedOperator[],
  collections: readonly CopiedCollection[],
): readonly string[] {
  const copied = new Set(["namespaces", ...collections.map(({ kind }) => kindId(kind))]);
  const read = operators
    .flatMap(({ rbac }) => rbac.rbac)
    .filter(({ verbs }) => verbs.some((verb) => READ_VERBS.has(verb)))
    .flatMap(({ apiGroups = [], resources = [] }) =>
      apiGroups.flatMap((group) => resources.map((plural) => (group === "" ? plural : `${plural}.${group}`))),
    );
  return [...new Set(read)].filter((resource) => !resource.includes("/") && !copied.has(resource)).toSorted();
}
