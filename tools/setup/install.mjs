// Installs missing dependencies of `npm start` and `npm test`. Plain JavaScript, because it may run on an old Node.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { join } from "node:path";

const root = fileURLToPath(new URL("../..", import.meta.url));
const lockfile = readFileSync(join(root, "package-lock.json"), "utf8");
const stamp = join(root, "node_modules", ".levelset-installed");
const isWindows = process.platform === "win32";

if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== lockfile) {
  console.error("Installing dependencies (once, and after each change of package-lock.json) …");
  // Not `npm ci`: it rejects a lockfile that lacks binaries of platforms that a registry does not have. `--no-save`
  // does not change the lockfile, and locked versions are installed. The engine warning of an old Node is suppressed.
  const args = ["install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error"];
  const { status } = spawnSync("npm", args, { cwd: root, stdio: ["ignore", "inherit", "inherit"], shell: isWindows });
  if (status !== 0) {
    console.error("npm install failed. Hint: see its message above; the npm registry must be reachable.");
    process.exit(1);
  }
  writeFileSync(stamp, lockfile);
}

const nodeBin = join(root, "node_modules", ".bin", isWindows ? "node.cmd" : "node");
// A clone runs TypeScript sources directly. The published packages are compiled and run on older versions.
if (!existsSync(nodeBin) && Number(process.versions.node.split(".")[0]) < 24) {
  console.error(`A clone of levelset needs Node 24 or newer, and this is ${process.version}.`);
  console.error("Hint: the dependencies contain no Node for this platform; install Node 24.");
  process.exit(1);
}
