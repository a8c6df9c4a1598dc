import { readFileSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { rolldown } from "rolldown";
import { copyDeclarations } from "./declarations.ts";

/** An entry of `exports` that is built. */
interface Exported {
  readonly "levelset-source": string;
  readonly default: string;
}

/**
 * Bundles the sources of a package into one module per entry of its `exports`, one per lazily loaded part, and shared
 * chunks, all in `dist`. Every loaded module costs start-up time; see ADR 0017. Other packages stay imports. The
 * declarations are those that the compiler wrote to `build`. Returns the written modules.
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
    // No tree shaking: lint finds unused code, and modules with side effects keep their order.
    treeshake: false,
    transform: { target: "es2024" },
  });
  const { output } = await bundle.write({
    dir: dist,
    format: "esm",
    sourcemap: true,
    // The declarations and the source maps have the comments.
    comments: false,
    // All in one directory, so that relative paths such as `../package.json` stay valid.
    entryFileNames: "[name].js",
    chunkFileNames: "[name].js",
  });
  const chunks = output.filter((file) => file.type === "chunk");
  for (const { fileName, code } of chunks) await writeFile(join(dist, fileName), asciiOf(code));
  await copyDeclarations({ from: join(directory, "build"), to: dist, modules: entries.map(([name]) => name) });
  return chunks.map(({ fileName }) => fileName);
}

/** The name of a module below `dist`, and its source. */
function entryOf({ "levelset-source": source, default: built }: Exported): readonly [string, string] {
  return [built.replace(/^\.\/dist\/(.*)\.js$/u, "$1"), source];
}

/** Neither our own module nor a compiler helper, which is bundled. */
function isForeign(id: string): boolean {
  return !id.startsWith(".") && !isAbsolute(id) && !id.startsWith("@oxc-project/runtime/");
}

/**
 * Escapes the code to ASCII. Escapes are equivalent in strings, templates and regular expressions, the only places with
 * other characters. The engine keeps the source text, which takes half the memory in ASCII.
 */
function asciiOf(code: string): string {
  return code.replaceAll(/[^\0-\u007f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
