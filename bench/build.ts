import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** Builds the packages, for benchmarks that measure what is published. */
export function buildPackages(): void {
  const packages = ["core", "operator", "apiserver", "cli"].map((name) => join("packages", name));
  const { status } = spawnSync(join(ROOT, "node_modules/.bin/tsc"), ["--build", ...packages], {
    cwd: ROOT,
    stdio: "inherit",
  });
  if (status !== 0) throw new Error("the packages do not build, so there is nothing to measure");
}
