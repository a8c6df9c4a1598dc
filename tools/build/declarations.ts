import { cp, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";

const IMPORT = /\b(?:from|import) *\(? *"(\.{1,2}\/[^"]+)\.tsx?"/g;

/**
 * Copies the declarations that these modules need from one directory to another: their own, and those of all that they mention. The
 * compiler writes one for each source, and leaves it there when the source has gone; users get what they can see. Modules are named
 * without their ending, from the directories.
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
