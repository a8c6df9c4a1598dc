import { publicEntries } from "./source/entry.ts";
import { exportsOf } from "./source/export.ts";
import { publicNames } from "./source/public-name.ts";
import { importsOf } from "./source/import.ts";
import { isTest, sourcePaths } from "./tree.ts";
import type { SourceTree } from "./tree.ts";
import type { Violation } from "./violation.ts";

/** Maximum number of names of an entry. Names declared below `except` do not count. */
const LIMITS: readonly { readonly specifier: string; readonly max: number; readonly except?: string }[] = [
  { specifier: "@levelset/core", max: 90, except: "packages/core/src/kubernetes/" },
  { specifier: "@levelset/operator", max: 120 },
];

/** The built-in kinds: their folder lists them, and a new kind is added there only. */
const LISTED_BELOW = { file: "packages/core/src/index.ts", specifier: "./kubernetes/index.ts" };

/** Code that users copy: it uses the public API only. */
const USER_CODE = /^(?:examples\/|packages\/cli\/template\/)/;

/**
 * Reports entries with too many names, names with two meanings, public names in internal entries, `export *`, and internal
 * entries in users' code.
 */
export function checkPublicLimits(tree: SourceTree): readonly Violation[] {
  return [
    ...largeEntries(tree),
    ...ambiguousNames(tree),
    ...publicInternals(tree),
    ...starExports(tree),
    ...internalImports(tree),
  ];
}

function largeEntries(tree: SourceTree): readonly Violation[] {
  return LIMITS.flatMap(({ specifier, max, except }) => {
    const file = publicEntries(tree).find((entry) => entry.specifier === specifier)?.file;
    if (file === undefined || !tree.has(file)) return [];
    const names = [...publicNames(tree, file).values()].filter(
      (found) => except === undefined || found.kind !== "declared" || !found.file.startsWith(except),
    );
    if (names.length <= max) return [];
    const message = `${specifier} has ${names.length} names, more than ${max}`;
    return [{ file, line: 1, message, fix: "export the name from a subpath, or from the internal entry" }];
  });
}

function ambiguousNames(tree: SourceTree): readonly Violation[] {
  const declaredAt = new Map<string, string>();
  return publicEntries(tree).flatMap(({ file, isInternal }) => {
    if (isInternal || !tree.has(file)) return [];
    return [...publicNames(tree, file)].flatMap(([name, found]) => {
      if (found.kind !== "declared") return [];
      const first = declaredAt.get(name) ?? found.file;
      declaredAt.set(name, first);
      if (first === found.file) return [];
      const message = `exports ${name} of ${found.file}, and another entry exports ${name} of ${first}`;
      return [{ file, line: 1, message, fix: "give one of them a more specific name" }];
    });
  });
}

function publicInternals(tree: SourceTree): readonly Violation[] {
  const named = publicEntries(tree)
    .filter(({ file }) => tree.has(file))
    .flatMap((entry) =>
      [...publicNames(tree, entry.file)].flatMap(([name, found]) =>
        found.kind === "declared" ? [{ ...entry, name, id: `${entry.manifest} ${found.file} ${found.original}` }] : [],
      ),
    );
  const known = new Set(named.filter(({ isInternal }) => !isInternal).map(({ id }) => id));
  return named
    .filter(({ isInternal, id }) => isInternal && known.has(id))
    .map(({ file, name }) => {
      return { file, line: 1, message: `exports ${name}, which is public`, fix: "import it from the public entry" };
    });
}

function starExports(tree: SourceTree): readonly Violation[] {
  return sourcePaths(tree)
    .filter((path) => path.startsWith("packages/"))
    .flatMap((file) =>
      exportsOf(tree, file)
        .filter((exported) => exported.kind === "all" && !isListedBelow(file, exported.specifier))
        .map(({ line }) => {
          return { file, line, message: "exports everything of a module", fix: "list the names" };
        }),
    );
}

function isListedBelow(file: string, specifier: string): boolean {
  return file === LISTED_BELOW.file && specifier === LISTED_BELOW.specifier;
}

function internalImports(tree: SourceTree): readonly Violation[] {
  return sourcePaths(tree)
    .filter((path) => USER_CODE.test(path) && !isTest(path))
    .flatMap((file) =>
      importsOf(tree, file)
        .filter(({ specifier }) => /^@levelset\/\w+\/internal$/.test(specifier))
        .map(({ line, specifier }) => {
          return { file, line, message: `imports ${specifier}`, fix: "use a public entry, or make the name public" };
        }),
    );
}
