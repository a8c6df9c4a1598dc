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

/** Files of the web application that are served as they are. */
const PLAIN = ["style.css", "icon.svg"];

/**
 * Builds the console's web application into `dist/pages` of its package: one script with all it needs, so that a page asks for
 * nothing else, and the licences of what it is made of. Answers whether there was something to build: nothing is done while the
 * result is newer than all sources.
 */
export async function buildWeb(directory: string, options: { readonly force: boolean }): Promise<boolean> {
  const web = join(directory, "src", "web");
  const out = join(directory, "dist", "pages");
  if (!options.force && isFresh(join(directory, "src"), join(out, "main.js"))) return false;
  // Beside it first: whoever serves the pages meanwhile, or builds them too, never sees half of them.
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
    rmSync(next, { recursive: true, force: true }); // somebody else has just built them
  }
  return true;
}

/** A page that names its sources, as one that names what is built from them. */
function withAssets(html: string): string {
  return html.replaceAll(/(?<=(?:src|href)=")\/(?=[\w.]+")/gu, "/assets/").replace("/main.tsx", "/main.js");
}

function isFresh(sources: string, built: string): boolean {
  const at = statSync(built, { throwIfNoEntry: false })?.mtimeMs;
  if (at === undefined) return false;
  const files = readdirSync(sources, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.every(({ parentPath, name }) => statSync(join(parentPath, name)).mtimeMs < at);
}
