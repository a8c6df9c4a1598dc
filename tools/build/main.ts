// `npm run build`: what is published, in `dist` of each package. Usage: main.ts [DIRECTORY …]; without one, all packages.
import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { bundlePackage } from "./bundle.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PACKAGES = ["core", "operator", "apiserver", "fleet", "cli"].map((name) => join(ROOT, "packages", name));

const named = process.argv.slice(2).map((path) => resolve(path));
const directories = named.length === 0 ? PACKAGES : named;
const { status } = spawnSync("tsc", ["--build", ...directories], {
  stdio: "inherit",
  shell: process.platform === "win32",
});
if (status === 0) for (const directory of directories) await bundlePackage(directory);
else process.exitCode = 1;
