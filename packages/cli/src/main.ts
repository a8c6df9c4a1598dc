/** The `levelset` command, for programs that run or describe it. */

import { text } from "node:stream/consumers";
import { realClock } from "@levelset/core";
import { Command, CommanderError, Option } from "commander";
import { exitCodeOf, READY_MESSAGE, reportError, stopSignal, version } from "./process/index.ts";
import { addCommands, formatHelp, optionDescription } from "./commands/index.ts";
import type { Shell, Terminal } from "./terminal/index.ts";

/**
 * Runs the `levelset` command. Only this file and the launcher access argv, environment, signals and exit codes; other
 * code gets them as arguments.
 */
export async function main(argv: readonly string[]): Promise<void> {
  const shell = processShell();
  try {
    const levelset = await program(shell, ...argv);
    await levelset.parseAsync(normalizeArgs(levelset, argv), { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) {
      reportError(error, { stderr: shell.stderr, verbose: argv.includes("--verbose") });
    }
    process.exitCode = exitCodeOf(error);
  }
}

function processShell(): Shell {
  exitOnClosedPipe();
  return {
    stdout: (chunk) => void process.stdout.write(chunk),
    stderr: (chunk) => void process.stderr.write(chunk),
    stdin: () => text(process.stdin),
    ...(process.stdout.isTTY ? { terminal: thisTerminal() } : {}),
    exitCode: (code) => {
      process.exitCode = code;
    },
    env: process.env,
    cwd: process.cwd(),
    clock: realClock,
    onReady: () => void process.send?.(READY_MESSAGE),
    rejections: process,
    signal: () => stopSignal(),
  };
}

/** Exits without an error when the reader of stdout or stderr closes the pipe (EPIPE), as with `head`. */
function exitOnClosedPipe(): void {
  let isClosed = false;
  const onError = (error: NodeJS.ErrnoException): void => {
    if (error.code !== "EPIPE") throw error;
    if (isClosed) return;
    isClosed = true;
    // SIGTERM lets running commands shut down cleanly.
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

/** Maximum width of help texts. */
const HELP_COLUMNS_MAX = 100;

/** Builds the command line with the command that the arguments begin with, or with all commands if there is none. */
export async function program(shell: Shell, ...args: readonly string[]): Promise<Command> {
  const levelset = new Command("levelset")
    .description("toolkit for Kubernetes operators, manifest sets and cluster fleets")
    .version(version(), "-V, --version", "print the version")
    .addOption(new Option("--verbose", "print debug logs and stack traces"))
    .helpOption("-h, --help", "show help for a command")
    .helpCommand("help [command]", "show help for a command")
    .showSuggestionAfterError(true)
    .configureHelp({ minWidthToWrap: 20, showGlobalOptions: true, formatHelp, optionDescription })
    .exitOverride();
  await addCommands(levelset, shell, args);
  addOutput(levelset, [], shell);
  return levelset;
}

/** Adds output settings to a command and its subcommands. */
function addOutput(command: Command, path: readonly string[], shell: Shell): void {
  const columns = Math.min(shell.terminal?.columns ?? HELP_COLUMNS_MAX, HELP_COLUMNS_MAX);
  command.configureOutput({
    writeOut: shell.stdout,
    writeErr: shell.stderr,
    getOutHelpWidth: () => columns,
    getErrHelpWidth: () => columns,
    outputError: (message, write) => write(oneLine(message, command, path)),
  });
  for (const each of command.commands) {
    each.copyInheritedSettings(command);
    addOutput(each, [...path, each.name()], shell);
  }
}

/**
 * Normalizes the arguments: none means `--help`, and `help why` means `why --help` on every level. Arguments after an
 * unknown command are dropped, so that commander reports the unknown command.
 */
function normalizeArgs(levelset: Command, argv: readonly string[]): string[] {
  if (argv.length === 0) return ["--help"];
  let command = levelset;
  for (const [index, arg] of argv.entries()) {
    if (arg.startsWith("-") || command.commands.length === 0) break;
    if (arg === "help") return normalizeArgs(levelset, [...argv.toSpliced(index, 1), "--help"]);
    const child = command.commands.find((each) => each.name() === arg);
    if (child === undefined) return argv.slice(0, index + 1);
    command = child;
  }
  return [...argv];
}

/** Formats an error of commander as one line and a hint. */
function oneLine(message: string, command: Command, path: readonly string[]): string {
  const [first, suggestion] = message
    .replace(/^error: /u, "")
    .trim()
    .split("\n");
  const purpose = command.commands.length === 0 ? "the usage" : "the commands and options";
  const hint =
    suggestion === undefined
      ? `run ${["levelset", ...path].join(" ")} --help for ${purpose}`
      : suggestion.replace(/^\(|\)$/gu, "");
  return `levelset: ${first}\nhint: ${hint}\n`;
}
