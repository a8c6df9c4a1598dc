import { PACKAGES } from "./layers.ts";
import { manifestAt } from "./manifest.ts";
import { perTree } from "./tree.ts";
import type { Tree } from "./tree.ts";

/** A door of one of our packages: a specifier that users may import. */
export interface Entry {
  /** `@levelset/core/testing`. */
  readonly specifier: string;
  /** The source it leads to, which may be absent. */
  readonly file: string;
  /** The `package.json` that declares it. */
  readonly manifest: string;
}

/** The public entries of all packages of a tree. */
export const publicEntries: (tree: Tree) => readonly Entry[] = perTree((tree) =>
  PACKAGES.flatMap(({ folder, name }) => {
    const manifest = `packages/${folder}/package.json`;
    return Object.entries(manifestAt(tree, manifest)?.entries ?? {}).map(([subpath, source]) => {
      return { specifier: name + subpath.slice(1), file: `packages/${folder}/${source}`, manifest };
    });
  }),
);
