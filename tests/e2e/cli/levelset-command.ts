import { runProcess, TestProcess } from "../../support/test-process.ts";
import type { ProcessResult } from "../../support/test-process.ts";
import { LAUNCHER } from "../../support/repository.ts";

/** Starts the command in a directory. */
export function start(cwd: string, ...args: readonly string[]): TestProcess {
  return new TestProcess(process.execPath, { args: [LAUNCHER, ...args], cwd });
}

/** Runs the command to its end. */
export function levelset(cwd: string, ...args: readonly string[]): Promise<ProcessResult> {
  return runProcess(process.execPath, { args: [LAUNCHER, ...args], cwd });
}

/** Sends Ctrl-C and resolves with the exit code. The timeout of the test ends a process that hangs. */
export async function stopped(running: TestProcess): Promise<number | null> {
  running.signal("SIGINT");
  return (await running.untilExit()).code;
}
