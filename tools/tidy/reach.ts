import { posix } from "node:path";
import { publicEntries } from "./entry.ts";
import { PACKAGES } from "./layers.ts";
import { manifestAt } from "./manifest.ts";
import { edgesOf } from "./resolve.ts";
import { isTest, packageOf, sourcePaths } from "./tree.ts";
import type { Tree } from "./tree.ts";
import type { Violation } from "./violation.ts";

/** What nobody imports because tools find it by itself: commands, build configuration, ambient types. */
const FOUND_BY_TOOLS = /^packages\/[^/]+\/(?:bin\/.+|[^/]+\.config\.[cm]?[jt]s)$|\.d\.[cm]?ts$/;

/** Every file of a package is reached from a public entry, a command, a page or a test, and every entry is there. */
export function checkReach(tree: Tree): readonly Violation[] {
  const reached = reach(tree, rootsOf(tree));
  const dead = sourcePaths(tree)
    .filter((path) => packageOf(path) !== undefined && !reached.has(path) && !FOUND_BY_TOOLS.test(path))
    .map((file) => {
      const wrong = "no public entry, command or test reaches this file";
      return { file, line: 1, wrong, instead: "export it from its folder's index.ts, test it, or delete it" };
    });
  return [...dead, ...absentEntries(tree)];
}

function rootsOf(tree: Tree): readonly string[] {
  const paths = sourcePaths(tree);
  const entries = publicEntries(tree).map(({ file }) => file);
  // The script in bin looks for either sources or what was built from them, so it does not import them in a way we could follow.
  const mains = PACKAGES.filter(({ folder }) => {
    return manifestAt(tree, `packages/${folder}/package.json`)?.hasBin === true;
  }).map(({ folder }) => `packages/${folder}/src/main.ts`);
  const found = paths.filter((path) => isTest(path) || FOUND_BY_TOOLS.test(path));
  return [...entries, ...mains, ...found, ...scriptsOfPages(tree)].filter((path) => tree.has(path));
}

function scriptsOfPages(tree: Tree): readonly string[] {
  return [...tree]
    .filter(([path]) => packageOf(path) !== undefined && path.endsWith(".html"))
    .flatMap(([path, text]) =>
      [...text.matchAll(/<script[^>]*\ssrc="\/?([^"]+)"/g)].map((match) =>
        posix.join(posix.dirname(path), match[1] ?? ""),
      ),
    );
}

function reach(tree: Tree, roots: readonly string[]): ReadonlySet<string> {
  const reached = new Set(roots);
  for (const path of reached) {
    for (const { to } of edgesOf(tree, path)) reached.add(to);
  }
  return reached;
}

function absentEntries(tree: Tree): readonly Violation[] {
  return publicEntries(tree)
    .filter(({ file }) => !tree.has(file))
    .map(({ specifier, file, manifest }) => {
      const wrong = `the entry ${specifier} leads to ${file}, which does not exist`;
      return { file: manifest, line: 1, wrong, instead: "add the file or remove the entry" };
    });
}
