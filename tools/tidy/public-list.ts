import { publicEntries } from "./entry.ts";
import { publicNames } from "./public-name.ts";
import { perTree } from "./tree.ts";
import type { SourceTree } from "./tree.ts";
import type { Violation } from "./violation.ts";

/** The folder of these lists. */
export const PUBLIC_LISTS = "docs/reference/api/";

/**
 * Returns the public API as lists: for each public entry a file with one line per name, so that changes are visible in
 * review. path → text.
 */
export const publicLists: (tree: SourceTree) => ReadonlyMap<string, string> = perTree((tree) => {
  const lists = publicEntries(tree)
    .filter(({ file }) => tree.has(file))
    .map(({ specifier, file }) => [pathOf(specifier), textOfList(tree, file)] as const);
  return new Map(lists);
});

/** Reports lists of public names that differ from the sources. */
export function checkPublicLists(tree: SourceTree): readonly Violation[] {
  const lists = publicLists(tree);
  const stale = [...tree.keys()].filter((path) => path.startsWith(PUBLIC_LISTS) && !lists.has(path));
  return [
    ...[...lists].flatMap(([file, text]) => differences(file, tree.get(file) ?? "", text)),
    ...stale.map((file) => violation(file, 1, "belongs to no entry of a package")),
  ];
}

/** Returns the path of a list: `core-testing.txt` for `@levelset/core/testing`. */
function pathOf(specifier: string): string {
  return `${PUBLIC_LISTS}${specifier.replace(/^@levelset\//, "").replaceAll("/", "-")}.txt`;
}

function textOfList(tree: SourceTree, file: string): string {
  const names = [...publicNames(tree, file)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return names
    .map(([name, found]) => `${name}  ${found.kind === "declared" ? found.declaration.keyword : "elsewhere"}\n`)
    .join("");
}

function differences(file: string, listed: string, text: string): readonly Violation[] {
  const [before, after] = [listed.split("\n"), text.split("\n")];
  const added = after.filter((line) => !before.includes(line));
  const removed = before.filter((line) => !after.includes(line));
  return [
    ...added.map((line) => violation(file, 1, `lacks ${line}, which the entry exports`)),
    ...removed.map((line) => violation(file, before.indexOf(line) + 1, `has ${line}, which the entry does not export`)),
    ...(added.length + removed.length === 0 && listed !== text ? [violation(file, 1, "is not sorted")] : []),
  ];
}

function violation(file: string, line: number, message: string): Violation {
  return { file, line, message, fix: "if the change is intended, run: npm run reference" };
}
