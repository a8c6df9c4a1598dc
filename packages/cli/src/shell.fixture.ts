import { realClock } from "@levelset/core";
import { program } from "./main.ts";
import type { Terminal } from "./shell.ts";

/** What a command said, and how its process would end. */
export interface Said {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number;
}

/** Around a command that a test runs. */
export interface CommandOptions {
  readonly cwd: string;
  /** What is piped in. */
  readonly stdin?: string;
  readonly terminal?: Terminal;
}

/** Runs a command in a directory, in this process. What it throws is thrown. */
export async function runShell(options: CommandOptions, ...words: readonly string[]): Promise<Said> {
  const said = { stdout: "", stderr: "", code: 0 };
  const { cwd, stdin = "", terminal } = options;
  const { signal } = new AbortController();
  const shell = {
    stdout: (text: string): void => void (said.stdout += text),
    stderr: (text: string): void => void (said.stderr += text),
    stdin: () => Promise.resolve(stdin),
    exitCode: (code: number): void => void (said.code = code),
    // Word of processes is looked for where no other test leaves any.
    env: { XDG_RUNTIME_DIR: cwd },
    cwd,
    clock: realClock,
    signal: () => signal,
    ...(terminal === undefined ? {} : { terminal }),
  };
  const levelset = await program(shell, words[0]);
  await levelset.parseAsync([...words], { from: "user" });
  return said;
}

/** Runs a command in a directory. What it says, or throws, is the answer. */
export async function runCommand(cwd: string, command: string, ...args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await runShell({ cwd }, command, ...args);
  return stderr + stdout;
}
