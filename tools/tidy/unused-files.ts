import { posix } from "node:path";
import { publicEntries } from "./source/entry.ts";
import { PACKAGES } from "./layers.ts";
import { manifestAt } from "./dependency/manifest.ts";
import { edgesOf } from "./source/resolve.ts";
import { isTest, packageOf, sourcePaths } from "./tree.ts";
import type { SourceTree } from "./tree.ts";
import type { Violation } from "./violation.ts";

/** Files that are used without an import: commands, build configuration, ambient types. */
const FOUND_BY_TOOLS = /^packages\/[^/]+\/(?:bin\/.+|[^/]+\.config\.[cm]?[jt]s)$|\.d\.[cm]?ts$/;

/** Reports files of a package that no public entry, command, page or test reaches, and entries without a file. */
export function checkUnusedFiles(tree: SourceTree): readonly Violation[] {
  const reached = reach(tree, rootsOf(tree));
  const dead = sourcePaths(tree)
    .filter((path) => packageOf(path) !== undefined && !reached.has(path) && !FOUND_BY_TOOLS.test(path))
    .map((file) => {
      const message = "no public entry, command or test reaches this file";
      return { file, line: 1, message, fix: "export it from its folder's index.ts, test it, or delete it" };
    });
  return [...dead, ...absentEntries(tree)];
}

function rootsOf(tree: SourceTree): readonly string[] {
  const paths = sourcePaths(tree);
  const entries = publicEntries(tree).map(({ file }) => file);
  // The script in bin chooses between sources and built files at run time, so its imports cannot be resolved here.
  const mains = PACKAGES.filter(({ folder }) => {
    return manifestAt(tree, `packages/${folder}/package.json`)?.hasBin === true;
  }).map(({ folder }) => `packages/${folder}/src/main.ts`);
  const found = paths.filter((path) => isTest(path) || FOUND_BY_TOOLS.test(path));
  return [...entries, ...mains, ...found, ...scriptsOfPages(tree)].filter((path) => tree.has(path));
}

function scriptsOfPages(tree: SourceTree): readonly string[] {
  return [...tree]
    .filter(([path]) => packageOf(path) !== undefined && path.endsWith(".html"))
    .flatMap(([path, text]) =>
      [...text.matchAll(/<script[^>]*\ssrc="\/?([^"]+)"/g)].map((match) =>
        posix.join(posix.dirname(path), match[1] ?? ""),
      ),
    );
}

function reach(tree: SourceTree, roots: readonly string[]): ReadonlySet<string> {
  const reached = new Set(roots);
  for (const path of reached) {
    for (const { to } of edgesOf(tree, path)) reached.add(to);
  }
  return reached;
}

function absentEntries(tree: SourceTree): readonly Violation[] {
  return publicEntries(tree)
    .filter(({ file }) => !tree.has(file))
    .map(({ specifier, file, manifest }) => {
      const message = `the entry ${specifier} names ${file}, which does not exist`;
      return { file: manifest, line: 1, message, fix: "add the file or remove the entry" };
    });
}
