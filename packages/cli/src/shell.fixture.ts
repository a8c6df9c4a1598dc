import { realClock } from "@levelset/core";
import { program } from "./main.ts";
import type { Shell, Terminal } from "./shell.ts";

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
  /** Variables besides those that keep tests apart. */
  readonly env?: Readonly<Record<string, string>>;
  /** Aborts when the process is asked to stop. Default: never. */
  readonly signal?: AbortSignal;
  /** Called with all that was said so far, whenever something is. */
  readonly onSaid?: (said: Said) => void;
}

/** A shell in a directory, and what is said in it. */
export function testShell(options: CommandOptions): { readonly shell: Shell; readonly said: Said } {
  const said = { stdout: "", stderr: "", code: 0 };
  const { cwd, stdin = "", terminal, env = {}, signal = new AbortController().signal, onSaid = () => {} } = options;
  const say =
    (where: "stdout" | "stderr") =>
    (text: string): void => {
      said[where] += text;
      onSaid(said);
    };
  const shell = {
    stdout: say("stdout"),
    stderr: say("stderr"),
    stdin: () => Promise.resolve(stdin),
    exitCode: (code: number): void => void (said.code = code),
    // Word of processes is looked for where no other test leaves any.
    env: { XDG_RUNTIME_DIR: cwd, ...env },
    cwd,
    clock: realClock,
    signal: () => signal,
    ...(terminal === undefined ? {} : { terminal }),
  };
  return { shell, said };
}

/** Runs a command in a directory, in this process. What it throws is thrown. */
export async function runShell(options: CommandOptions, ...words: readonly string[]): Promise<Said> {
  const { shell, said } = testShell(options);
  const levelset = await program(shell, words[0]);
  await levelset.parseAsync([...words], { from: "user" });
  return said;
}

/** Runs a command in a directory. What it says, or throws, is the answer. */
export async function runCommand(cwd: string, command: string, ...args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await runShell({ cwd }, command, ...args);
  return stderr + stdout;
}
