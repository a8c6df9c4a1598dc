import { publicEntries } from "./entry.ts";
import { publicNames } from "./public-name.ts";
import { perTree } from "./tree.ts";
import type { Tree } from "./tree.ts";
import type { Violation } from "./violation.ts";

/** The folder of these lists. */
export const PUBLIC_LISTS = "docs/reference/api/";

/**
 * What the packages promise by name: for each public entry a file with a line for each name, so that a change of it is seen in review.
 * Path of the file to its text.
 */
export const publicLists: (tree: Tree) => ReadonlyMap<string, string> = perTree((tree) => {
  const lists = publicEntries(tree)
    .filter(({ file }) => tree.has(file))
    .map(({ specifier, file }) => [pathOf(specifier), textOfList(tree, file)] as const);
  return new Map(lists);
});

/** The lists of public names in the tree are those of its sources. */
export function checkPublicLists(tree: Tree): readonly Violation[] {
  const lists = publicLists(tree);
  const stale = [...tree.keys()].filter((path) => path.startsWith(PUBLIC_LISTS) && !lists.has(path));
  return [
    ...[...lists].flatMap(([file, text]) => differences(file, tree.get(file) ?? "", text)),
    ...stale.map((file) => violation(file, 1, "is about no entry of a package")),
  ];
}

/** `@levelset/core/testing` is in `core-testing.txt`. */
function pathOf(specifier: string): string {
  return `${PUBLIC_LISTS}${specifier.replace(/^@levelset\//, "").replaceAll("/", "-")}.txt`;
}

function textOfList(tree: Tree, file: string): string {
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

function violation(file: string, line: number, wrong: string): Violation {
  return { file, line, wrong, instead: "if the change is meant: npm run reference writes it anew" };
}
