import { expect, test } from "vitest";
import { TestProcess } from "../../tests/support/test-process.ts";
import { ROOT } from "../../tests/support/repository.ts";

const RUN = `
  import { runProgram } from "./tools/test/run-program.ts";
  const limit = new AbortController();
  process.on("SIGUSR2", () => limit.abort());
  const script = "console.log('pid=' + require('node:child_process').spawn('sleep', ['1000']).pid)";
  const isSuccess = await runProgram(process.execPath, ["-e", script], { limit: limit.signal });
  console.log("isSuccess", isSuccess);
`;

test.for([["SIGUSR2"], ["SIGINT"], ["SIGTERM"]] as const)(
  "a limited program ends with the programs that it started: %s",
  async ([signal]) => {
    const args = ["--input-type=module", "-e", RUN];
    await using running = new TestProcess(process.execPath, { args, cwd: ROOT });
    const [, pid = ""] = await running.untilOutput(/pid=(\d+)/u);
    process.kill(running.pid ?? 0, signal);
    expect((await running.untilExit()).stdout).toMatch(/\nisSuccess false\n$/u);
    await expect.poll(() => isAlive(Number(pid))).toBe(false);
  },
);

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false; // ESRCH: no such process
  }
}
