// Installs what `npm start` and `npm test` need and is missing. Plain JavaScript for old Nodes: it runs before our own Node is there.
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
  // Not `npm ci`: it refuses a lockfile without the binaries of platforms that a registry does not carry. `--no-save` leaves the
  // lockfile as it is, and what it locks is installed as locked. The engine warning of an old Node would be noise.
  const args = ["install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error"];
  const { status } = spawnSync("npm", args, { cwd: root, stdio: ["ignore", "inherit", "inherit"], shell: isWindows });
  if (status !== 0) {
    console.error("npm install failed. Hint: look at its message above; the npm registry must be within reach.");
    process.exit(1);
  }
  writeFileSync(stamp, lockfile);
}

const nodeBin = join(root, "node_modules", ".bin", isWindows ? "node.cmd" : "node");
// The published packages run on older ones: they are compiled. Here sources run as they are.
if (!existsSync(nodeBin) && Number(process.versions.node.split(".")[0]) < 24) {
  console.error(`A clone of levelset needs Node 24 or newer, and this is ${process.version}.`);
  console.error("Hint: there is no prebuilt Node for this platform among our dependencies; install Node 24 yourself.");
  process.exit(1);
}
