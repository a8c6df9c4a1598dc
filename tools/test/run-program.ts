import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";

/** Signals that end a run. */
const ENDING = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Options of {@link runProgram}. */
export interface RunProgramOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Kills the program and all programs that it started. */
  readonly limit?: AbortSignal;
}

/** Runs a program with the output of this process; resolves with whether it succeeded. */
export function runProgram(
  command: string,
  args: readonly string[],
  options: RunProgramOptions = {},
): Promise<boolean> {
  const { limit } = options;
  return new Promise((resolve) => {
    const child = spawn(command, [...args], {
      // A program that does not own the terminal must not read from it.
      stdio: [limit === undefined ? "inherit" : "ignore", "inherit", "inherit"],
      shell: process.platform === "win32",
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
      detached: limit !== undefined && process.platform !== "win32",
    });
    const release = limit === undefined ? undefined : endWithGroup(child, limit);
    child.on("error", (error) => {
      console.error(`${command}: ${error.message}`);
      release?.();
      resolve(false);
    });
    child.on("exit", (code) => {
      release?.();
      resolve(code === 0);
    });
  });
}

/** Kills a process group at its limit, and forwards signals of this process, for example Ctrl-C. */
function endWithGroup(child: ChildProcess, limit: AbortSignal): () => void {
  const kill = (signal: NodeJS.Signals): void => {
    if (child.pid === undefined) return;
    if (process.platform === "win32") child.kill(signal);
    else process.kill(-child.pid, signal);
  };
  const onLimit = (): void => kill("SIGKILL");
  for (const signal of ENDING) process.on(signal, kill);
  limit.addEventListener("abort", onLimit);
  if (limit.aborted) onLimit();
  return () => {
    for (const signal of ENDING) process.off(signal, kill);
    limit.removeEventListener("abort", onLimit);
  };
}
