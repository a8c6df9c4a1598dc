import { exportsOf } from "./export.ts";
import type { Declaration } from "./export.ts";
import { resolve } from "./resolve.ts";
import type { SourceTree } from "../tree.ts";

/** The resolved declaration of an exported name. */
export type ResolvedExport =
  | {
      readonly kind: "declared";
      readonly file: string;
      /** Its name in that file, which differs from the exported name if it has an alias. */
      readonly original: string;
      readonly declaration: Declaration;
    }
  /** Declared outside the tree, or a module namespace. */
  | { readonly kind: "elsewhere" }
  /** Not found: the program is invalid, or uses syntax that the scanner does not support. */
  | { readonly kind: "lost"; readonly file: string; readonly line: number };

/** Returns the names that a module exports, with their declarations. */
export function publicNames(tree: SourceTree, file: string): ReadonlyMap<string, ResolvedExport> {
  return namesOf(tree, file, new Set());
}

function namesOf(tree: SourceTree, file: string, visited: Set<string>): ReadonlyMap<string, ResolvedExport> {
  const names = new Map<string, ResolvedExport>();
  if (visited.has(file)) return names;
  visited.add(file);
  for (const exported of exportsOf(tree, file)) {
    if (exported.kind !== "all") {
      names.set(
        exported.name,
        find(tree, file, exported.name, new Set()) ?? { kind: "lost", file, line: exported.line },
      );
      continue;
    }
    const target = resolve(tree, file, exported.specifier);
    const inherited = target === undefined ? [] : namesOf(tree, target, visited);
    for (const [name, found] of inherited) if (name !== "default" && !names.has(name)) names.set(name, found);
  }
  return names;
}

/** Follows a name from module to module to its declaration; undefined if the module does not export it. */
function find(tree: SourceTree, file: string, name: string, visited: Set<string>): ResolvedExport | undefined {
  const visit = `${file} ${name}`;
  if (visited.has(visit)) return undefined;
  visited.add(visit);
  const exported = exportsOf(tree, file);
  const named = exported.find((candidate) => candidate.kind !== "all" && candidate.name === name);
  if (named?.kind === "own") {
    const { declaration, line } = named;
    return declaration === undefined
      ? { kind: "lost", file, line }
      : { kind: "declared", file, original: name, declaration };
  }
  if (named?.kind === "forwarded") {
    const target = resolve(tree, file, named.specifier);
    if (target === undefined || named.original === "*") return { kind: "elsewhere" };
    return find(tree, target, named.original, visited) ?? { kind: "lost", file, line: named.line };
  }
  let isElsewhere = false;
  for (const all of exported) {
    if (all.kind !== "all") continue;
    const target = resolve(tree, file, all.specifier);
    const found = target === undefined ? undefined : find(tree, target, name, visited);
    if (found !== undefined) return found;
    isElsewhere ||= target === undefined;
  }
  return isElsewhere ? { kind: "elsewhere" } : undefined;
}
