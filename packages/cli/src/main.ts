import { text } from "node:stream/consumers";
import { realClock } from "@levelset/core";
import { Command, CommanderError, Option } from "commander";
import { COMMANDS } from "./commands/index.ts";
import { exitCodeOf, reportError } from "./failure.ts";
import { stopSignal } from "./signals.ts";
import { version } from "./version.ts";
import type { Shell, Terminal } from "./shell.ts";

/**
 * The `levelset` command: the only code that touches argv, environment, signals and exit codes. Everything below it takes what it
 * needs as arguments.
 */
export async function main(argv: readonly string[]): Promise<void> {
  const shell = processShell();
  try {
    // Called with nothing: help is the answer, and not a failure.
    const levelset = await program(shell, argv[0]);
    await levelset.parseAsync(argv.length === 0 ? ["--help"] : [...argv], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) {
      reportError(error, { stderr: shell.stderr, verbose: argv.includes("--verbose") });
    }
    process.exitCode = exitCodeOf(error);
  }
}

function processShell(): Shell {
  stopUnread();
  return {
    stdout: (words) => void process.stdout.write(words),
    stderr: (words) => void process.stderr.write(words),
    stdin: () => text(process.stdin),
    ...(process.stdout.isTTY ? { terminal: thisTerminal() } : {}),
    exitCode: (code) => {
      process.exitCode = code;
    },
    env: process.env,
    cwd: process.cwd(),
    clock: realClock,
    signal: () => stopSignal(),
  };
}

/** Stops when who read what we print has left, as `head` does: that is no failure, and nobody to tell it is there. */
function stopUnread(): void {
  let isUnread = false;
  const onError = (error: NodeJS.ErrnoException): void => {
    if (error.code !== "EPIPE") throw error;
    if (isUnread) return;
    isUnread = true;
    // Who listens for it ends in order.
    if (process.listenerCount("SIGTERM") > 0) process.kill(process.pid, "SIGTERM");
    else process.exit();
  };
  process.stdout.on("error", onError);
  process.stderr.on("error", onError);
}

function thisTerminal(): Terminal {
  return { columns: process.stdout.columns, colors: process.stdout.hasColors() };
}

/** The command line: names, options and their help. Only this command if there is one of that name, else all. */
export async function program(shell: Shell, only = ""): Promise<Command> {
  const levelset = new Command("levelset")
    .description("Keeps a declared state true, and says truthfully whether the latest one has been reached.")
    .version(version(), "-V, --version", "print the version")
    .addOption(new Option("--verbose", "also print debug lines, and stacks with errors"))
    .helpOption("-h, --help", "show help for a command")
    .helpCommand("help [command]", "show help for a command")
    .showSuggestionAfterError(true)
    .configureOutput({
      writeOut: shell.stdout,
      writeErr: shell.stderr,
      outputError: (message, write) => write(oneLine(message)),
    })
    .exitOverride();
  const wanted = COMMANDS.get(only);
  for (const load of wanted === undefined ? COMMANDS.values() : [wanted]) (await load())(levelset, shell);
  for (const command of levelset.commands) command.exitOverride().copyInheritedSettings(levelset);
  return levelset;
}

/** Commander's complaint as one line and a hint. */
function oneLine(message: string): string {
  const [first, suggestion] = message
    .replace(/^error: /u, "")
    .trim()
    .split("\n");
  const hint =
    suggestion === undefined ? "levelset --help lists commands and options" : suggestion.replace(/^\(|\)$/gu, "");
  return `levelset: ${first}\nhint: ${hint}\n`;
}
