// `npm run soak`: tests that are too slow for every change. Usage: soak.ts [seconds per target, 180 by default]
import { spawn } from "node:child_process";

const [seconds = "180"] = process.argv.slice(2);
const child = spawn("vitest", ["run", "tests/network-faults"], {
  stdio: "inherit",
  shell: process.platform === "win32",
  env: { ...process.env, LEVELSET_TORTURE_SECONDS: seconds },
});
child.once("exit", (code) => {
  process.exitCode = code ?? 1;
});
