import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const BUILD = fileURLToPath(new URL("../tools/build/main.ts", import.meta.url));

/** Builds the packages for benchmarks that measure the published code. */
export function buildPackages(): void {
  const { status } = spawnSync(process.execPath, [BUILD], { stdio: "inherit" });
  if (status !== 0) throw new Error("cannot build the packages: run npm run build for the errors");
}
