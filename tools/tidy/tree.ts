/** The files of a repository: path from its root, with slashes, to text. Rules see nothing else. */
export type Tree = ReadonlyMap<string, string>;

const SOURCE = /\.(?:ts|tsx|mts|cts|js|jsx|mjs|cjs)$/;
const TEST = /\.(test|fixture)\.tsx?$/;

/** Whether a path holds code that we write. */
export function isSource(path: string): boolean {
  return SOURCE.test(path);
}

/** Whether a path holds tests, or what tests share. */
export function isTest(path: string): boolean {
  return TEST.test(path);
}

/** The paths of all code in a tree, sorted. */
export const sourcePaths: (tree: Tree) => readonly string[] = perTree((tree) =>
  [...tree.keys()].filter((path) => isSource(path)).toSorted(),
);

/** The folder below `packages/` that a path is in; undefined outside of the packages. */
export function packageOf(path: string): string | undefined {
  return /^packages\/([^/]+)\//.exec(path)?.[1];
}

/** Where a path inside of a package's `src` is: `folder` is undefined for files directly in `src`. */
export function placeInSource(
  path: string,
): { readonly package: string; readonly folder: string | undefined; readonly rest: string } | undefined {
  const match = /^packages\/([^/]+)\/src\/(?:([^/]+)\/)?(.+)$/.exec(path);
  const [, name, folder, rest] = match ?? [];
  return name === undefined || rest === undefined ? undefined : { package: name, folder, rest };
}

/** Computes something about a tree once, however many rules ask for it. */
export function perTree<T>(compute: (tree: Tree) => T): (tree: Tree) => T {
  const known = new WeakMap<Tree, { readonly value: T }>();
  return (tree) => {
    const found = known.get(tree) ?? { value: compute(tree) };
    known.set(tree, found);
    return found.value;
  };
}

/** Computes something about a file of a tree once. The file must be in the tree. */
export function perFile<T>(compute: (text: string, path: string, tree: Tree) => T): (tree: Tree, path: string) => T {
  const ofTree = perTree(() => new Map<string, { readonly value: T }>());
  return (tree, path) => {
    const known = ofTree(tree);
    const found = known.get(path) ?? { value: compute(textOf(tree, path), path, tree) };
    known.set(path, found);
    return found.value;
  };
}

/** The text of a file that must be in the tree. */
export function textOf(tree: Tree, path: string): string {
  const text = tree.get(path);
  if (text === undefined) throw new Error(`${path} is not in the tree`);
  return text;
}

/** The line, counted from 1, of an offset in a text. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) line += 1;
  return line;
}
