import { text } from "node:stream/consumers";
import { realClock } from "@levelset/core";
import { Command, CommanderError, Option } from "commander";
import { UP } from "./child.ts";
import { COMMANDS, EXAMPLES } from "./commands/index.ts";
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
    const levelset = await program(shell, argv[0]);
    await levelset.parseAsync(askedWords(levelset, argv), { from: "user" });
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
    isUp: () => void process.send?.(UP),
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
  const { columns, rows } = process.stdout;
  return { columns, rows, colors: process.stdout.hasColors() };
}

/** How wide help is at most: wider lines are hard to read. */
const HELP_COLUMNS_MAX = 100;

/** The command line: names, options and their help. Only this command if there is one of that name, else all. */
export async function program(shell: Shell, only = ""): Promise<Command> {
  const levelset = new Command("levelset")
    .description("Keeps a declared state true, and says truthfully whether the latest one has been reached.")
    .version(version(), "-V, --version", "print the version")
    .addOption(new Option("--verbose", "also print debug lines, and stacks with errors"))
    .helpOption("-h, --help", "show help for a command")
    .helpCommand("help [command]", "show help for a command")
    .showSuggestionAfterError(true)
    .configureHelp({ minWidthToWrap: 20, showGlobalOptions: true })
    .exitOverride();
  const wanted = COMMANDS.get(only);
  for (const load of wanted === undefined ? COMMANDS.values() : [wanted]) (await load())(levelset, shell);
  complete(levelset, [], shell);
  return levelset;
}

/** Gives a command and those below it what all have in common, and each its examples. */
function complete(command: Command, path: readonly string[], shell: Shell): void {
  const columns = Math.min(shell.terminal?.columns ?? HELP_COLUMNS_MAX, HELP_COLUMNS_MAX);
  const examples = EXAMPLES.get(path.join(" "));
  if (examples !== undefined) command.addHelpText("after", ["\nExamples:", ...examples].join("\n  "));
  command.configureOutput({
    writeOut: shell.stdout,
    writeErr: shell.stderr,
    getOutHelpWidth: () => columns,
    getErrHelpWidth: () => columns,
    outputError: (message, write) => write(oneLine(message, command, path)),
  });
  for (const each of command.commands) {
    each.copyInheritedSettings(command);
    complete(each, [...path, each.name()], shell);
  }
}

/**
 * What is asked for. Nothing means help, and not a failure. `help why` means `why --help`, on every level. What follows the name of a
 * command that there is not goes: help for it would be help for something else.
 */
function askedWords(levelset: Command, argv: readonly string[]): string[] {
  if (argv.length === 0) return ["--help"];
  let at = levelset;
  for (const [index, word] of argv.entries()) {
    if (word.startsWith("-") || at.commands.length === 0) break;
    if (word === "help") return askedWords(levelset, [...argv.toSpliced(index, 1), "--help"]);
    const named = at.commands.find((each) => each.name() === word);
    if (named === undefined) return argv.slice(0, index + 1);
    at = named;
  }
  return [...argv];
}

/** Commander's complaint about a command as one line and a hint. */
function oneLine(message: string, command: Command, path: readonly string[]): string {
  const [first, suggestion] = message
    .replace(/^error: /u, "")
    .trim()
    .split("\n");
  const help = command.commands.length === 0 ? "shows how it is called" : "lists commands and options";
  const hint =
    suggestion === undefined
      ? `${["levelset", ...path].join(" ")} --help ${help}`
      : suggestion.replace(/^\(|\)$/gu, "");
  return `levelset: ${first}\nhint: ${hint}\n`;
}
