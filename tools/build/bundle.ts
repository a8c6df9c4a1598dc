import { readFileSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { rolldown } from "rolldown";
import { copyDeclarations } from "./declarations.ts";

/** One entry of `exports`, as far as it is built. */
interface Exported {
  readonly "levelset-source": string;
  readonly default: string;
}

/**
 * Bundles the sources of a package into one module for each entry of its `exports`, one for each part that is loaded when it is
 * needed, and one for what these share, all in `dist`. A process pays for every module it loads; see ADR 0017. What comes from other
 * packages stays an import. The declarations are those that the compiler wrote to `build`. Answers with the modules that it wrote.
 */
export async function bundlePackage(directory: string): Promise<readonly string[]> {
  const manifest = JSON.parse(readFileSync(join(directory, "package.json"), "utf8")) as {
    readonly exports: Readonly<Record<string, Exported>>;
  };
  const dist = join(directory, "dist");
  const entries = Object.values(manifest.exports).map(entryOf);
  await rm(dist, { recursive: true, force: true });
  await using bundle = await rolldown({
    cwd: directory,
    input: Object.fromEntries(entries),
    platform: "neutral",
    external: isForeign,
    // Nothing is left out: what is not used is found by lint, and what has effects keeps its order.
    treeshake: false,
    transform: { target: "es2024" },
  });
  const { output } = await bundle.write({
    dir: dist,
    format: "esm",
    sourcemap: true,
    // They are in the declarations and in the source maps.
    comments: false,
    // All side by side, for what lies beside the sources (`../package.json`) lies beside these too.
    entryFileNames: "[name].js",
    chunkFileNames: "[name].js",
  });
  const chunks = output.filter((file) => file.type === "chunk");
  for (const { fileName, code } of chunks) await writeFile(join(dist, fileName), asciiOf(code));
  await copyDeclarations({ from: join(directory, "build"), to: dist, modules: entries.map(([name]) => name) });
  return chunks.map(({ fileName }) => fileName);
}

/** The name that a module gets below `dist`, and where its source is. */
function entryOf({ "levelset-source": source, default: built }: Exported): readonly [string, string] {
  return [built.replace(/^\.\/dist\/(.*)\.js$/u, "$1"), source];
}

/** Neither ours nor a helper of the compiler, which it holds itself. */
function isForeign(id: string): boolean {
  return !id.startsWith(".") && !isAbsolute(id) && !id.startsWith("@oxc-project/runtime/");
}

/**
 * The same code in ASCII: an escape means the same in strings, templates and regular expressions, and there is nothing else where
 * other characters could be. It takes half the memory of what it is in, and the engine keeps the text of all code.
 */
function asciiOf(code: string): string {
  return code.replaceAll(/[^\0-\u007f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
