import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const BUILD = fileURLToPath(new URL("../tools/build/main.ts", import.meta.url));

/** Builds the packages, for benchmarks that measure what is published. */
export function buildPackages(): void {
  const { status } = spawnSync(process.execPath, [BUILD], { stdio: "inherit" });
  if (status !== 0) throw new Error("the packages do not build, so there is nothing to measure");
}
