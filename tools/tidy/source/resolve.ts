import { posix } from "node:path";
import { importsOf } from "./import.ts";
import type { ModuleImport } from "./import.ts";
import { PACKAGES } from "../layers.ts";
import type { PackageRule } from "../layers.ts";
import { manifestAt } from "../dependency/manifest.ts";
import { perFile } from "../tree.ts";
import type { SourceTree } from "../tree.ts";

/** The target of a specifier. */
export type ImportTarget =
  /** A path from the root of the repository; the file may be missing. */
  | { readonly kind: "path"; readonly path: string }
  /** An entry of a package of the repository: `.`, `./testing`. */
  | { readonly kind: "ours"; readonly package: PackageRule; readonly entry: string }
  /** A third-party package, without subpath. */
  | { readonly kind: "external"; readonly name: string };

/** Returns the target of a specifier in a file. */
export function importTargetOf(from: string, specifier: string): ImportTarget {
  if (specifier.startsWith("/")) return { kind: "path", path: specifier };
  if (/^\.\.?(?:\/|$)/.test(specifier)) {
    // The query is for the bundler.
    return { kind: "path", path: posix.join(posix.dirname(from), specifier.replace(/\?.*$/, "")) };
  }
  const name = /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;
  const ours = PACKAGES.find((rule) => rule.name === name);
  if (ours === undefined) return { kind: "external", name };
  return { kind: "ours", package: ours, entry: `.${specifier.slice(name.length)}` };
}

/** Returns the file of a specifier; undefined if it is not in the tree. */
export function resolve(tree: SourceTree, from: string, specifier: string): string | undefined {
  const target = importTargetOf(from, specifier);
  if (target.kind === "external") return undefined;
  if (target.kind === "path") return tree.has(target.path) ? target.path : undefined;
  const folder = `packages/${target.package.folder}`;
  const source = manifestAt(tree, `${folder}/package.json`)?.entries[target.entry];
  return source !== undefined && tree.has(`${folder}/${source}`) ? `${folder}/${source}` : undefined;
}

/** An import of a file in the tree. */
export interface ImportEdge {
  readonly to: string;
  readonly line: number;
  readonly kind: ModuleImport["kind"];
}

/** Returns the files of the tree that a file references, in order. */
export const edgesOf: (tree: SourceTree, path: string) => readonly ImportEdge[] = perFile((_text, path, tree) =>
  importsOf(tree, path).flatMap(({ specifier, line, kind }) => {
    const to = resolve(tree, path, specifier);
    return to === undefined ? [] : [{ to, line, kind }];
  }),
);
