/** The files of a repository: path from its root, with slashes → text. The only input of rules. */
export type SourceTree = ReadonlyMap<string, string>;

const SOURCE = /\.(?:ts|tsx|mts|cts|js|jsx|mjs|cjs)$/;
const TEST = /\.(test|fixture)\.tsx?$/;

/** Returns whether a path is source code of the repository. */
export function isSource(path: string): boolean {
  return SOURCE.test(path);
}

/** Returns whether a path is a test or a test helper. */
export function isTest(path: string): boolean {
  return TEST.test(path);
}

/** Returns the paths of all source code, sorted. */
export const sourcePaths: (tree: SourceTree) => readonly string[] = perTree((tree) =>
  [...tree.keys()].filter((path) => isSource(path)).toSorted(),
);

/** Returns the package folder of a path; undefined outside `packages/`. */
export function packageOf(path: string): string | undefined {
  return /^packages\/([^/]+)\//.exec(path)?.[1];
}

/** Returns the location of a path inside a package's `src`; `folder` is undefined for files directly in `src`. */
export function locationInSource(
  path: string,
): { readonly package: string; readonly folder: string | undefined; readonly rest: string } | undefined {
  const match = /^packages\/([^/]+)\/src\/(?:([^/]+)\/)?(.+)$/.exec(path);
  const [, name, folder, rest] = match ?? [];
  return name === undefined || rest === undefined ? undefined : { package: name, folder, rest };
}

/** Memoizes a function of a tree. */
export function perTree<T>(compute: (tree: SourceTree) => T): (tree: SourceTree) => T {
  const known = new WeakMap<SourceTree, { readonly value: T }>();
  return (tree) => {
    const found = known.get(tree) ?? { value: compute(tree) };
    known.set(tree, found);
    return found.value;
  };
}

/** Memoizes a function of a file, which must be in the tree. */
export function perFile<T>(
  compute: (text: string, path: string, tree: SourceTree) => T,
): (tree: SourceTree, path: string) => T {
  const ofTree = perTree(() => new Map<string, { readonly value: T }>());
  return (tree, path) => {
    const known = ofTree(tree);
    const found = known.get(path) ?? { value: compute(textOf(tree, path), path, tree) };
    known.set(path, found);
    return found.value;
  };
}

/** Returns the text of a file. Throws if it is not in the tree. */
export function textOf(tree: SourceTree, path: string): string {
  const text = tree.get(path);
  if (text === undefined) throw new Error(`${path} is not in the tree`);
  return text;
}

/** Returns the line of an offset in a text, counted from 1. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) line += 1;
  return line;
}
