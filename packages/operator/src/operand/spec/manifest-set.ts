import type { EmbeddedObject, Scope } from "@levelset/core";
import { isSecret } from "../../apply/index.ts";
import { parseItem } from "./item.ts";
import type { ManifestItem } from "./item.ts";
import { ITEMS_MAX } from "./operand-kinds.ts";
import { describeLiveRef, liveRefId, sortRefs } from "./live-ref.ts";
import type { LiveRef } from "./live-ref.ts";
import { reservedProblem } from "./manifest-shape.ts";

/** Lists of manifests in a spec. */
export interface ManifestLists {
  readonly steadyState: readonly EmbeddedObject[];
  readonly postInstall: readonly EmbeddedObject[];
}

/** A valid set. */
export interface ManifestSet {
  readonly kind: "good";
  /** Objects that are applied first. */
  readonly steadyState: readonly ManifestItem[];
  /** The complete set: steadyState, with whole objects of postInstall in place of those of the same name. */
  readonly merged: readonly ManifestItem[];
  /** Jobs of the merged set. */
  readonly jobs: readonly ManifestItem[];
  /** References of the merged set, sorted. */
  readonly refs: readonly LiveRef[];
}

/** An invalid set and its problems. */
export interface InvalidManifestSet {
  readonly kind: "bad";
  readonly problems: readonly string[];
  /** True if a namespaced object has no `metadata.namespace`. */
  readonly lacksNamespace: boolean;
}

/** Returns the scope of a kind; undefined if the kind is unknown. */
export type ScopeOf = (object: { readonly apiVersion: string; readonly kind: string }) => Scope | undefined;

/**
 * Parses and validates a set. An invalid set is not applied at all. `self` is the name of its Operand, which must not
 * be part of the set.
 */
export function parseManifestSet(
  lists: ManifestLists,
  scopeOf: ScopeOf,
  self?: string,
): ManifestSet | InvalidManifestSet {
  const problems: string[] = [];
  const steadyState = readList(lists.steadyState, "steadyState", { scopeOf, self }, problems);
  const postInstall = readList(lists.postInstall, "postInstall", { scopeOf, self }, problems);
  const merged = mergeItems(steadyState, postInstall);
  if (merged.length > ITEMS_MAX) problems.push(`${merged.length} objects exceed the limit of ${ITEMS_MAX} per Operand`);
  problems.push(...hookProblems(steadyState, merged));
  // Checked per phase: steadyState must not depend on objects of postInstall.
  problems.push(...new Set([steadyState, merged].flatMap(dependencyProblems)));
  if (problems.length > 0) {
    const lacksNamespace = [...steadyState, ...postInstall].some((item) => isWithoutNamespace(item, scopeOf));
    return { kind: "bad", problems, lacksNamespace };
  }
  const jobs = merged.filter(({ job }) => job !== undefined);
  return {
    kind: "good",
    steadyState: withReplacements(steadyState, merged),
    merged,
    jobs,
    refs: sortRefs(merged.map(({ ref }) => ref)),
  };
}

/** Returns the first list, with objects replaced by those of the same reference in the second. */
function mergeItems(base: readonly ManifestItem[], over: readonly ManifestItem[]): readonly ManifestItem[] {
  const items = new Map(base.map((item) => [liveRefId(item.ref), item]));
  for (const item of over) {
    const replaced = items.get(liveRefId(item.ref));
    items.set(liveRefId(item.ref), isRecorded(item, replaced) ? { ...item, replaces: replaced.object } : item);
  }
  return [...items.values()];
}

/**
 * Reports whether an object records the version that it replaces. A Secret does not: a digest would let readers of its
 * metadata check guesses of its values.
 */
function isRecorded(item: ManifestItem, replaced: ManifestItem | undefined): replaced is ManifestItem {
  return item.mode === "Reconcile" && replaced?.mode === "Reconcile" && !isSecret(item.ref);
}

/** Adds to each object of steadyState the one of the merged set that records it as replaced. */
function withReplacements(base: readonly ManifestItem[], merged: readonly ManifestItem[]): readonly ManifestItem[] {
  const over = new Map(
    merged.filter(({ replaces }) => replaces !== undefined).map((item) => [liveRefId(item.ref), item]),
  );
  if (over.size === 0) return base;
  return base.map((item) => {
    const replacedBy = over.get(liveRefId(item.ref));
    return replacedBy === undefined ? item : { ...item, replacedBy };
  });
}

function readList(
  objects: readonly EmbeddedObject[],
  list: string,
  { scopeOf, self }: { readonly scopeOf: ScopeOf; readonly self: string | undefined },
  problems: string[],
): readonly ManifestItem[] {
  const seen = new Map<string, string>();
  return objects.flatMap((object, index) => {
    const item = parseItem(object, `${list}[${index}]`);
    if ("problem" in item) {
      problems.push(item.problem);
      return [];
    }
    const what = describeLiveRef(item.ref);
    const first = seen.get(liveRefId(item.ref));
    if (first !== undefined) problems.push(`${item.at}: ${what} is already declared at ${first}`);
    seen.set(liveRefId(item.ref), item.at);
    const reserved = reservedProblem(object, self);
    if (reserved !== undefined) problems.push(`${item.at}: ${what}: ${reserved}`);
    if (isWithoutNamespace(item, scopeOf)) problems.push(`${item.at}: ${what} has no metadata.namespace`);
    if (scopeOf(object) === "Cluster" && item.ref.namespace !== undefined) {
      problems.push(`${item.at}: ${what}: ${object.kind} is cluster-scoped, remove metadata.namespace`);
    }
    return [item];
  });
}

function isWithoutNamespace({ object, ref }: ManifestItem, scopeOf: ScopeOf): boolean {
  return ref.namespace === undefined && scopeOf(object) === "Namespaced";
}

/** Returns hooks that come too late in their list, and objects that depend on a hook of another phase. */
function hookProblems(steadyState: readonly ManifestItem[], merged: readonly ManifestItem[]): readonly string[] {
  const first = new Set(steadyState);
  const hooks = new Map(
    merged.flatMap(({ ref, job }) =>
      job === undefined || job.hooks.length === 0 ? [] : [[liveRefId(ref), job.hooks.join()]],
    ),
  );
  return hooks.size === 0
    ? []
    : merged.flatMap((item) => {
        const what = `${item.at}: ${describeLiveRef(item.ref)}`;
        const early = item.job?.hooks.filter((hook) => hook === "preInstall" || hook === "preUpgrade") ?? [];
        const misplaced =
          early.length > 0 && !first.has(item) ? [`${what}: hook ${early.join(", ")} must be in steadyState`] : [];
        const others = item.dependsOn.filter((ref) => {
          const theirs = hooks.get(liveRefId(ref));
          return theirs !== undefined && theirs !== hooks.get(liveRefId(item.ref));
        });
        return [
          ...misplaced,
          ...others.map((ref) => `${what}: depends on ${describeLiveRef(ref)}, which runs only as a hook`),
        ];
      });
}

/** Returns missing and cyclic dependencies. */
function dependencyProblems(items: readonly ManifestItem[]): readonly string[] {
  const byId = new Map(items.map((item) => [liveRefId(item.ref), item]));
  const problems: string[] = [];
  for (const item of items) {
    for (const ref of item.dependsOn) {
      const other = byId.get(liveRefId(ref));
      const what = `${item.at}: depends on ${describeLiveRef(ref)}`;
      if (other === undefined) problems.push(`${what}, which is not in the set`);
      else if (other.wave > item.wave) problems.push(`${what}, which comes in a later wave`);
    }
  }
  const done = new Set<ManifestItem>();
  const visit = (item: ManifestItem, path: readonly ManifestItem[]): void => {
    if (done.has(item)) return;
    if (path.includes(item)) {
      problems.push(`${item.at}: ${describeLiveRef(item.ref)} is part of a dependency cycle`);
      return;
    }
    for (const ref of item.dependsOn) {
      const next = byId.get(liveRefId(ref));
      if (next !== undefined) visit(next, [...path, item]);
    }
    done.add(item);
  };
  for (const item of items) visit(item, []);
  return problems;
}
