import { PACKAGES } from "../layers.ts";
import { manifestAt } from "../dependency/manifest.ts";
import { perTree } from "../tree.ts";
import type { SourceTree } from "../tree.ts";

/** An entry of a package: a specifier that can be imported. */
export interface PublicEntry {
  /** `@levelset/core/testing`. */
  readonly specifier: string;
  /** Its source, which may be missing. */
  readonly file: string;
  /** The `package.json` that declares it. */
  readonly manifest: string;
  /** Whether it is only for the packages of this repository and their tests. */
  readonly isInternal: boolean;
}

/** The entries of all packages of a tree. */
export const publicEntries: (tree: SourceTree) => readonly PublicEntry[] = perTree((tree) =>
  PACKAGES.flatMap(({ folder, name }) => {
    const manifest = `packages/${folder}/package.json`;
    return Object.entries(manifestAt(tree, manifest)?.entries ?? {}).map(([subpath, source]) => {
      return {
        specifier: name + subpath.slice(1),
        file: `packages/${folder}/${source}`,
        manifest,
        isInternal: subpath === "./internal",
      };
    });
  }),
);
