import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Returns the directory of the package that contains a file; undefined if there is none. */
export async function findProjectRoot(path: string): Promise<string | undefined> {
  for (let root = dirname(path); ; root = dirname(root)) {
    if ((await stat(join(root, "package.json")).catch(() => undefined)) !== undefined) return root;
    if (dirname(root) === root) return undefined;
  }
}
