import { realClock } from "@levelset/core";
import type { Clock } from "@levelset/core";
import { program } from "../main.ts";
import type { Shell, Terminal } from "./shell.ts";

/** Output and exit code of a command. */
export interface CommandOutput {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number;
}

/** Options of a command in a test. */
export interface CommandOptions {
  readonly cwd: string;
  /** Standard input. */
  readonly stdin?: string;
  readonly terminal?: Terminal;
  /** Default: the real clock. */
  readonly clock?: Clock;
  /** Additional environment variables. */
  readonly env?: Readonly<Record<string, string>>;
  /** Aborts when the process is stopped. Default: never. */
  readonly signal?: AbortSignal;
  /** Called with all output so far after each write. */
  readonly onOutput?: (output: CommandOutput) => void;
}

/** Returns a shell for tests and its recorded output. */
export function testShell(options: CommandOptions): { readonly shell: Shell; readonly output: CommandOutput } {
  const output = { stdout: "", stderr: "", code: 0 };
  const { cwd, stdin = "", terminal, clock = realClock, env = {}, onOutput = () => {} } = options;
  const { signal = new AbortController().signal } = options;
  const write =
    (stream: "stdout" | "stderr") =>
    (text: string): void => {
      output[stream] += text;
      onOutput(output);
    };
  const shell = {
    stdout: write("stdout"),
    stderr: write("stderr"),
    stdin: () => Promise.resolve(stdin),
    exitCode: (code: number): void => void (output.code = code),
    // Isolates run files from other tests.
    env: { XDG_RUNTIME_DIR: cwd, ...env },
    cwd,
    clock,
    signal: () => signal,
    ...(terminal === undefined ? {} : { terminal }),
  };
  return { shell, output };
}

/** Runs a command in this process; rejects with its error. */
export async function runShell(options: CommandOptions, ...args: readonly string[]): Promise<CommandOutput> {
  const { shell, output } = testShell(options);
  const levelset = await program(shell, ...args);
  await levelset.parseAsync([...args], { from: "user" });
  return output;
}

/** Runs a command in a directory and returns its output. */
export async function runCommand(cwd: string, command: string, ...args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await runShell({ cwd }, command, ...args);
  return stderr + stdout;
}
