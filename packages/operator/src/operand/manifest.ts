import type { EmbeddedObject, Scope } from "@levelset/core";
import { readItem } from "./item.ts";
import type { Item } from "./item.ts";
import { ITEMS_MAX } from "./kinds.ts";
import { describeLiveRef, refId, sortRefs } from "./live-ref.ts";
import type { LiveRef } from "./live-ref.ts";

/** The lists that a set is declared by. */
export interface ManifestLists {
  readonly steadyState: readonly EmbeddedObject[];
  readonly postInstall: readonly EmbeddedObject[];
}

/** A set that can be applied. */
export interface Manifest {
  readonly kind: "good";
  /** What is applied first. */
  readonly steadyState: readonly Item[];
  /** What is there in the end: steadyState, with whole objects of postInstall in place of those of the same name. */
  readonly merged: readonly Item[];
  /** Every object of the merged set, sorted. */
  readonly refs: readonly LiveRef[];
}

/** A set that cannot, and every reason. */
export interface BadManifest {
  readonly kind: "bad";
  readonly problems: readonly string[];
}

/** Whether objects of a kind live in a namespace; undefined when nobody knows the kind (yet). */
export type ScopeOf = (object: { readonly apiVersion: string; readonly kind: string }) => Scope | undefined;

/** Reads and checks a set. Nothing of a bad one is applied. */
export function readManifest(lists: ManifestLists, scopeOf: ScopeOf): Manifest | BadManifest {
  const problems: string[] = [];
  const steadyState = readList(lists.steadyState, "steadyState", scopeOf, problems);
  const postInstall = readList(lists.postInstall, "postInstall", scopeOf, problems);
  const merged = mergeItems(steadyState, postInstall);
  if (merged.length > ITEMS_MAX)
    problems.push(`${merged.length} objects are more than one Operand takes: ${ITEMS_MAX}`);
  // In each phase: what steadyState waits for cannot be something that comes after it.
  problems.push(...new Set([steadyState, merged].flatMap(dependencyProblems)));
  if (problems.length > 0) return { kind: "bad", problems };
  return { kind: "good", steadyState, merged, refs: sortRefs(merged.map(({ ref }) => ref)) };
}

/** The first list, with objects of the second in place of those that it has too. */
function mergeItems(base: readonly Item[], over: readonly Item[]): readonly Item[] {
  const items = new Map(base.map((item) => [refId(item.ref), item]));
  for (const item of over) items.set(refId(item.ref), item);
  return [...items.values()];
}

function readList(
  objects: readonly EmbeddedObject[],
  list: string,
  scopeOf: ScopeOf,
  problems: string[],
): readonly Item[] {
  const seen = new Map<string, string>();
  return objects.flatMap((object, index) => {
    const item = readItem(object, `${list}[${index}]`);
    if ("problem" in item) {
      problems.push(item.problem);
      return [];
    }
    const what = describeLiveRef(item.ref);
    const first = seen.get(refId(item.ref));
    if (first !== undefined) problems.push(`${item.at}: ${what} stands at ${first} already`);
    seen.set(refId(item.ref), item.at);
    const scope = scopeOf(object);
    if (scope === "Namespaced" && item.ref.namespace === undefined) {
      problems.push(`${item.at}: ${what} needs a metadata.namespace`);
    }
    if (scope === "Cluster" && item.ref.namespace !== undefined) {
      problems.push(`${item.at}: ${what}: a ${object.kind} lives in no namespace`);
    }
    return [item];
  });
}

/** Dependencies on what the set does not have, or in a circle. */
function dependencyProblems(items: readonly Item[]): readonly string[] {
  const byId = new Map(items.map((item) => [refId(item.ref), item]));
  const problems: string[] = [];
  for (const item of items) {
    for (const ref of item.dependsOn) {
      const other = byId.get(refId(ref));
      const what = `${item.at}: depends on ${describeLiveRef(ref)}`;
      if (other === undefined) problems.push(`${what}, which is not in the set`);
      else if (other.wave > item.wave) problems.push(`${what}, which comes in a later wave`);
    }
  }
  const done = new Set<Item>();
  const visit = (item: Item, path: readonly Item[]): void => {
    if (done.has(item)) return;
    if (path.includes(item)) {
      problems.push(`${item.at}: ${describeLiveRef(item.ref)} depends on itself by way of others`);
      return;
    }
    for (const ref of item.dependsOn) {
      const next = byId.get(refId(ref));
      if (next !== undefined) visit(next, [...path, item]);
    }
    done.add(item);
  };
  for (const item of items) visit(item, []);
  return problems;
}
