import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { PACKAGE_ROOT } from "../process/index.ts";

/** A text file of a project: relative path with slashes, and content. */
export interface ProjectFile {
  readonly path: string;
  readonly text: string;
}

/** A binary file of a project. */
export interface ProjectData {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** Template names of files that npm and compilers would otherwise use in this package. */
const RENAMED: Readonly<Record<string, string>> = { _gitignore: ".gitignore", "_tsconfig.json": "tsconfig.json" };

/** Reads the project template. Its types are checked and its tests run with those of this repository. */
export async function readTemplate(): Promise<readonly ProjectFile[]> {
  const root = fileURLToPath(new URL("template", PACKAGE_ROOT));
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return Promise.all(
    files.toSorted().map(async (file) => {
      const path = relative(root, file).split(sep).join("/");
      return { path: RENAMED[path] ?? path, text: await readFile(file, "utf8") };
    }),
  );
}
