import { spawn } from "node:child_process";
import { EnvtestError, hasCode } from "./errors.ts";
import type { Environment } from "./location.ts";

export interface CommandOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Environment;
  readonly signal?: AbortSignal | undefined;
  /** Replaces the system's message when the command does not exist. */
  readonly notFound: string;
}

const ERROR_LINES_MAX = 15;
const KILL_AFTER_MS = 10_000;

/**
 * Runs a command to completion and returns its standard output. Throws with its last lines (of standard error, if any)
 * if it fails, and with the signal's reason if aborted, after the command has ended.
 */
export async function runCommand(options: CommandOptions): Promise<string> {
  const { signal } = options;
  signal?.throwIfAborted();
  const child = spawn(options.command, [...options.args], {
    cwd: options.cwd,
    env: { ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let killTimer: NodeJS.Timeout | undefined;
  const onAbort = (): void => {
    // SIGINT, because the go tool then waits for or ends its compilers.
    child.kill("SIGINT");
    killTimer = setTimeout(() => child.kill("SIGKILL"), KILL_AFTER_MS);
  };
  signal?.addEventListener("abort", onAbort, { once: true });
  const output = collect(child.stdout);
  const errors = collect(child.stderr);
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", resolve);
    });
    signal?.throwIfAborted();
    if (code !== 0) throw new EnvtestError(failure(options, errors().trim() || output().trim()));
    return output();
  } catch (error) {
    if (hasCode(error, "ENOENT")) throw new EnvtestError(options.notFound, { cause: error });
    throw error;
  } finally {
    clearTimeout(killTimer);
    signal?.removeEventListener("abort", onAbort);
  }
}

function collect(stream: NodeJS.ReadableStream): () => string {
  const chunks: string[] = [];
  stream.setEncoding("utf8");
  stream.on("data", (chunk: string) => chunks.push(chunk));
  return () => chunks.join("");
}

function failure(options: CommandOptions, text: string): string {
  const lines = text.split("\n").slice(-ERROR_LINES_MAX).join("\n");
  return `\`${options.command} ${options.args.slice(0, 2).join(" ")}\` failed:\n${lines}`;
}
