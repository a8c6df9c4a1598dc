// `npm run lock`: regenerates package-lock.json from the manifests. `npm install` in a tree with node_modules drops the
// entries of other platforms from the lockfile; resolving in an empty directory keeps them.
import { spawnSync } from "node:child_process";
import { cpSync, copyFileSync, globSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), "levelset-lock-"));
try {
  const manifests = [
    "package.json",
    ".npmrc",
    "package-lock.json",
    ...globSync("packages/*/package.json", { cwd: root }),
  ];
  for (const file of manifests) {
    mkdirSync(join(scratch, dirname(file)), { recursive: true });
    copyFileSync(join(root, file), join(scratch, file));
  }
  // npm links the commands of a package only if the files exist.
  cpSync(join(root, "packages/cli/bin"), join(scratch, "packages/cli/bin"), { recursive: true });
  const args = ["install", "--package-lock-only", "--loglevel=error"];
  const { status } = spawnSync("npm", args, { cwd: scratch, stdio: "inherit", shell: process.platform === "win32" });
  if (status !== 0) process.exit(1);
  copyFileSync(join(scratch, "package-lock.json"), join(root, "package-lock.json"));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
