// `npm run build`: builds the published files, in `dist` of each package. Usage: main.ts [DIRECTORY …]; default: all
// packages.
import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { bundlePackage } from "./bundle.ts";
import { buildWeb } from "./web.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PACKAGES = ["core", "operator", "apiserver", "simulation", "fleet", "console", "cli"].map((name) =>
  join(ROOT, "packages", name),
);
const CONSOLE = join(ROOT, "packages", "console");

const named = process.argv.slice(2).map((path) => resolve(path));
const directories = named.length === 0 ? PACKAGES : named;
const { status } = spawnSync("tsc", ["--build", ...directories], {
  stdio: "inherit",
  shell: process.platform === "win32",
});
if (status === 0) {
  for (const directory of directories) {
    await bundlePackage(directory);
    if (directory === CONSOLE) await buildWeb(directory, { force: true });
  }
} else process.exitCode = 1;
