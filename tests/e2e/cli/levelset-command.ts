import { runProcess, TestProcess } from "../../support/test-process.ts";
import type { ProcessResult } from "../../support/test-process.ts";
import { LAUNCHER, ROOT } from "../../support/repository.ts";

/** Starts the command in a directory. */
export function start(cwd: string, ...args: readonly string[]): TestProcess {
  return new TestProcess(process.execPath, { args: [LAUNCHER, ...args], cwd });
}

/** Runs the command to its end. */
export function levelset(cwd: string, ...args: readonly string[]): Promise<ProcessResult> {
  return runProcess(process.execPath, { args: [LAUNCHER, ...args], cwd });
}

/** Sends Ctrl-C and reports whether the process stops within 1 s plus ten times the run time of an empty program. */
export async function stopped(running: TestProcess): Promise<readonly [number | null, boolean]> {
  const before = performance.now();
  const idle = runProcess(process.execPath, { args: ["-e", "0"], cwd: ROOT }).then(() => performance.now() - before);
  running.signal("SIGINT");
  const { code } = await running.untilExit();
  const took = performance.now() - before;
  return [code, took < 1_000 + 10 * (await idle)];
}
