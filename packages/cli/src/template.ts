import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** A file of a project: its path below the project's directory, with slashes, and what is in it. */
export interface ProjectFile {
  readonly path: string;
  readonly text: string;
}

/** One that is no text. */
export interface ProjectData {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** Files that npm and compilers would take for their own while they are in this package. */
const RENAMED: Readonly<Record<string, string>> = { _gitignore: ".gitignore", "_tsconfig.json": "tsconfig.json" };

/** The project that new ones are made from. It is a real one: its types are checked and its tests run with ours. */
export async function readTemplate(): Promise<readonly ProjectFile[]> {
  const root = fileURLToPath(new URL("../template", import.meta.url));
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return Promise.all(
    files.toSorted().map(async (file) => {
      const path = relative(root, file).split(sep).join("/");
      return { path: RENAMED[path] ?? path, text: await readFile(file, "utf8") };
    }),
  );
}
