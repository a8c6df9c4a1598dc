import { importsOf } from "../source/import.ts";
import { PACKAGES } from "../layers.ts";
import { manifestAt } from "./manifest.ts";
import type { Manifest } from "./manifest.ts";
import { importTargetOf } from "../source/resolve.ts";
import { isTest, lineAt, perTree, sourcePaths } from "../tree.ts";
import type { SourceTree } from "../tree.ts";
import type { Violation } from "../violation.ts";

const LIST = "docs/adr/0004-dependencies.md";
/** A row of its table: names, folders of packages that use them, reason. */
const ROW = /^\| *(`[^|]+`) *\| *([^|]+?) *\|[^|]+\|$/gm;
const NAME = /`((?:@[^/`\s]+\/)?[\w.-]+)`/g;

/** Dependencies that are used without an import: commands, modules that a tool loads, and files that a test reads. */
const NOT_IMPORTED: ReadonlyMap<string, string> = new Map([
  ["@types/node", "referenced by tsconfig files"],
  ["@types/pg", "the types of pg"],
  ["@vitest/coverage-v8", "vitest loads it for npm run coverage"],
  ["axe-core", "injected into pages by the console tests"],
  ["oxfmt", "npm run check"],
  ["oxlint", "npm run check"],
  ["oxlint-tsgolint", "oxlint loads it"],
  ["typescript", "npm run check"],
]);

/**
 * Reports dependencies without a reason in the ADR about dependencies (runtime dependencies need one per package),
 * names in its table that are not dependencies, and dependencies that are not used.
 */
export function checkDependencies(tree: SourceTree): readonly Violation[] {
  const folders = PACKAGES.filter(({ folder }) => manifestAt(tree, `packages/${folder}/package.json`) !== undefined);
  return [...folders.flatMap(({ folder }) => ofPackage(tree, folder)), ...ofRoot(tree), ...withoutUse(tree)];
}

function ofPackage(tree: SourceTree, folder: string): readonly Violation[] {
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

function ofRoot(tree: SourceTree): readonly Violation[] {
  const file = "package.json";
  const used = namesUsedIn(tree, () => true);
  const reported = new Set([...(tree.get(LIST) ?? "").matchAll(NAME)].map((match) => match[1]));
  return Object.keys(manifestAt(tree, file)?.devDependencies ?? {}).flatMap((name) => [
    ...(used.has(name) || NOT_IMPORTED.has(name) ? [] : [unused(file, name)]),
    ...(reported.has(name) ? [] : [withoutReason(file, name)]),
  ]);
}

/** Reports names in the table that the named package does not list. */
function withoutUse(tree: SourceTree): readonly Violation[] {
  return [...tableOf(tree)].flatMap(([name, { folders, line }]) =>
    folders
      .filter((folder) => !namesIn(manifestAt(tree, `packages/${folder}/package.json`)).includes(name))
      .map((folder) => {
        const message = `names ${name}, which packages/${folder}/package.json does not list`;
        return { file: LIST, line, message, fix: "remove it from the table, or list it in the package" };
      }),
  );
}

/** Returns the runtime and development dependencies of a package. */
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

function namesUsedIn(tree: SourceTree, isCounted: (path: string) => boolean): ReadonlySet<string> {
  const imports = sourcePaths(tree)
    .filter((path) => isCounted(path))
    .flatMap((path) => importsOf(tree, path).map(({ specifier }) => importTargetOf(path, specifier)));
  return new Set(imports.flatMap((target) => (target.kind === "external" ? [target.name] : [])));
}

function isOurs(name: string): boolean {
  return PACKAGES.some((rule) => rule.name === name);
}

function unused(file: string, name: string): Violation {
  return { file, line: 1, message: `lists ${name}, which is not imported there`, fix: "remove it" };
}

function withoutReason(file: string, what: string): Violation {
  return { file, line: 1, message: `lists ${what}, and ${LIST} does not justify it`, fix: "add the reason there" };
}
