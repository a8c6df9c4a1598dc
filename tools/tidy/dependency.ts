import { importsOf } from "./import.ts";
import { PACKAGES } from "./layers.ts";
import { manifestAt } from "./manifest.ts";
import type { Manifest } from "./manifest.ts";
import { targetOf } from "./resolve.ts";
import { isTest, lineAt, perTree, sourcePaths } from "./tree.ts";
import type { Tree } from "./tree.ts";
import type { Violation } from "./violation.ts";

const LIST = "docs/adr/0004-dependencies.md";
/** A line of its table: names, folders of packages that use them, reason. */
const ROW = /^\| *(`[^|]+`) *\| *([^|]+?) *\|[^|]+\|$/gm;
const NAME = /`((?:@[^/`\s]+\/)?[\w.-]+)`/g;

/** Used without being imported: a command, what another tool loads by itself, or a file that a test reads. */
const NOT_IMPORTED: ReadonlyMap<string, string> = new Map([
  ["@types/node", "tsconfig.base.json and those below it name it"],
  ["@types/pg", "the types of pg"],
  ["@vitest/coverage-v8", "vitest loads it for npm run coverage"],
  ["axe-core", "the tests of the console put it into pages"],
  ["oxfmt", "npm run check"],
  ["oxlint", "npm run check"],
  ["oxlint-tsgolint", "oxlint loads it"],
  ["typescript", "npm run check"],
]);

/**
 * Every dependency has a reason in the ADR about dependencies, at run time with the packages that list it; every name in its table is
 * a dependency; and each is used by what lists it.
 */
export function checkDependencies(tree: Tree): readonly Violation[] {
  const folders = PACKAGES.filter(({ folder }) => manifestAt(tree, `packages/${folder}/package.json`) !== undefined);
  return [...folders.flatMap(({ folder }) => ofPackage(tree, folder)), ...ofRoot(tree), ...withoutUse(tree)];
}

function ofPackage(tree: Tree, folder: string): readonly Violation[] {
  const file = `packages/${folder}/package.json`;
  const manifest = manifestAt(tree, file);
  const foreign = namesIn(manifest).filter((name) => !isOurs(name));
  const isShipped = (path: string): boolean => path.startsWith(`packages/${folder}/`) && !isTest(path);
  const used = namesUsedIn(tree, isShipped);
  return foreign.flatMap((name) => [
    ...(used.has(name) ? [] : [unused(file, name)]),
    ...(tableOf(tree).get(name)?.folders.includes(folder) === true
      ? []
      : [withoutReason(file, `${name}, for ${folder}`)]),
  ]);
}

function ofRoot(tree: Tree): readonly Violation[] {
  const file = "package.json";
  const used = namesUsedIn(tree, () => true);
  const told = new Set([...(tree.get(LIST) ?? "").matchAll(NAME)].map((match) => match[1]));
  return Object.keys(manifestAt(tree, file)?.devDependencies ?? {}).flatMap((name) => [
    ...(used.has(name) || NOT_IMPORTED.has(name) ? [] : [unused(file, name)]),
    ...(told.has(name) ? [] : [withoutReason(file, name)]),
  ]);
}

/** What the table names although the package it names does not list it. */
function withoutUse(tree: Tree): readonly Violation[] {
  return [...tableOf(tree)].flatMap(([name, { folders, line }]) =>
    folders
      .filter((folder) => !namesIn(manifestAt(tree, `packages/${folder}/package.json`)).includes(name))
      .map((folder) => {
        const wrong = `names ${name}, which packages/${folder}/package.json does not list`;
        return { file: LIST, line, wrong, instead: "remove it there, or list it" };
      }),
  );
}

/** What a package needs to run, and to be built. */
function namesIn(manifest: Manifest | undefined): readonly string[] {
  return Object.keys({ ...manifest?.dependencies, ...manifest?.optionalDependencies, ...manifest?.devDependencies });
}

const tableOf = perTree((tree) => {
  const text = tree.get(LIST) ?? "";
  const rows = [...text.matchAll(ROW)].flatMap(({ 1: names = "", 2: users = "", index }) => {
    const row = { folders: users.split(/, */), line: lineAt(text, index) };
    return [...names.matchAll(NAME)].map((match) => [match[1] ?? "", row] as const);
  });
  return new Map(rows);
});

function namesUsedIn(tree: Tree, isCounted: (path: string) => boolean): ReadonlySet<string> {
  const imports = sourcePaths(tree)
    .filter((path) => isCounted(path))
    .flatMap((path) => importsOf(tree, path).map(({ specifier }) => targetOf(path, specifier)));
  return new Set(imports.flatMap((target) => (target.kind === "external" ? [target.name] : [])));
}

function isOurs(name: string): boolean {
  return PACKAGES.some((rule) => rule.name === name);
}

function unused(file: string, name: string): Violation {
  return { file, line: 1, wrong: `lists ${name}, which nothing there imports`, instead: "do without it" };
}

function withoutReason(file: string, what: string): Violation {
  return { file, line: 1, wrong: `lists ${what}, and ${LIST} does not say why`, instead: "say there what it earns" };
}
