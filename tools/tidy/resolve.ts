import { posix } from "node:path";
import { importsOf } from "./import.ts";
import type { ModuleImport } from "./import.ts";
import { PACKAGES } from "./layers.ts";
import type { PackageRule } from "./layers.ts";
import { manifestAt } from "./manifest.ts";
import { perFile } from "./tree.ts";
import type { Tree } from "./tree.ts";

/** What a specifier names. */
export type Target =
  /** A path from the root of the repository, whether or not there is a file. */
  | { readonly kind: "path"; readonly path: string }
  /** An entry of one of our packages: `.`, `./testing`. */
  | { readonly kind: "ours"; readonly package: PackageRule; readonly entry: string }
  /** A package of others, by its name without subpath. */
  | { readonly kind: "external"; readonly name: string };

/** What a specifier in a file names. */
export function targetOf(from: string, specifier: string): Target {
  if (specifier.startsWith("/")) return { kind: "path", path: specifier };
  if (/^\.\.?(?:\/|$)/.test(specifier)) {
    // What follows a question mark is for the bundler.
    return { kind: "path", path: posix.join(posix.dirname(from), specifier.replace(/\?.*$/, "")) };
  }
  const name = /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;
  const ours = PACKAGES.find((rule) => rule.name === name);
  if (ours === undefined) return { kind: "external", name };
  return { kind: "ours", package: ours, entry: `.${specifier.slice(name.length)}` };
}

/** The file of the tree that a specifier leads to; undefined for what is not in the tree. */
export function resolve(tree: Tree, from: string, specifier: string): string | undefined {
  const target = targetOf(from, specifier);
  if (target.kind === "external") return undefined;
  if (target.kind === "path") return tree.has(target.path) ? target.path : undefined;
  const folder = `packages/${target.package.folder}`;
  const source = manifestAt(tree, `${folder}/package.json`)?.entries[target.entry];
  return source !== undefined && tree.has(`${folder}/${source}`) ? `${folder}/${source}` : undefined;
}

/** An import that leads to a file of the tree. */
export interface Edge {
  readonly to: string;
  readonly line: number;
  readonly kind: ModuleImport["kind"];
}

/** The files of the tree that a file mentions, in order. */
export const edgesOf: (tree: Tree, path: string) => readonly Edge[] = perFile((_text, path, tree) =>
  importsOf(tree, path).flatMap(({ specifier, line, kind }) => {
    const to = resolve(tree, path, specifier);
    return to === undefined ? [] : [{ to, line, kind }];
  }),
);
