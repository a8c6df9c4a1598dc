import { cp, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";

const IMPORT = /\b(?:from|import) *\(? *"(\.{1,2}\/[^"]+)\.tsx?"/g;

/**
 * Copies the declarations of these modules, and of all modules they reference, from one directory to another. The
 * compiler writes one per source and does not remove stale ones. Modules are named without extension, relative to the
 * directories.
 */
export async function copyDeclarations(options: {
  readonly from: string;
  readonly to: string;
  readonly modules: readonly string[];
}): Promise<void> {
  const { from, to, modules } = options;
  const reached = new Set(modules);
  for (const name of reached) {
    const file = `${name}.d.ts`;
    const text = await readFile(join(from, file), "utf8");
    for (const [, target = ""] of text.matchAll(IMPORT)) reached.add(join(dirname(name), target));
    await cp(join(from, file), join(to, file));
  }
}
