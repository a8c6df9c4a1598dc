import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { bundledPackages, licencesText } from "./licences.ts";

/** Static files of the web application. */
const PLAIN = ["style.css", "icon.svg"];

/**
 * Builds the console's web application into `dist/pages` of its package: one self-contained script and the licences of
 * its dependencies. Returns whether there was something to build: up-to-date output is kept.
 */
export async function buildWeb(directory: string, options: { readonly force: boolean }): Promise<boolean> {
  const web = join(directory, "src", "web");
  const out = join(directory, "dist", "pages");
  if (!options.force && isFresh(join(directory, "src"), join(out, "main.js"))) return false;
  // Built in a temporary directory first, so that a running server or a concurrent build never sees partial output.
  const next = join(directory, "dist", `pages.${process.pid}`);
  rmSync(next, { recursive: true, force: true });
  mkdirSync(next, { recursive: true });
  await using bundle = await rolldown({
    cwd: directory,
    input: join(web, "main.tsx"),
    platform: "browser",
    resolve: { conditionNames: ["levelset-source", "browser", "import", "default"] },
    transform: { target: "es2024" },
  });
  for (const file of PLAIN) copyFileSync(join(web, file), join(next, file));
  writeFileSync(join(next, "index.html"), withAssets(readFileSync(join(web, "index.html"), "utf8")));
  const { output } = await bundle.generate({ format: "esm", minify: true, codeSplitting: false });
  const [{ moduleIds, code }] = output;
  const bundled = bundledPackages(moduleIds);
  writeFileSync(join(next, "licences.txt"), licencesText(bundled));
  const names = bundled.map(({ name, version, licence }) => `${name} ${version} (${licence})`).join(", ");
  writeFileSync(join(next, "main.js"), `/*! with ${names}: licences.txt */\n${code}`);
  rmSync(out, { recursive: true, force: true });
  try {
    renameSync(next, out);
  } catch {
    rmSync(next, { recursive: true, force: true }); // a concurrent build has just finished
  }
  return true;
}

/** Replaces the sources referenced by a page with the built files. */
function withAssets(html: string): string {
  return html.replaceAll(/(?<=(?:src|href)=")\/(?=[\w.]+")/gu, "/assets/").replace("/main.tsx", "/main.js");
}

function isFresh(sources: string, built: string): boolean {
  const at = statSync(built, { throwIfNoEntry: false })?.mtimeMs;
  if (at === undefined) return false;
  const files = readdirSync(sources, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.every(({ parentPath, name }) => statSync(join(parentPath, name)).mtimeMs < at);
}
