import { beforeAll, expect, test } from "vitest";
import { BENCHMARKS } from "../../../bench/benchmarks.ts";
import { parseSubcommand } from "../../../tools/subcommand/subcommand.ts";
import { exampleCommand, listExamples } from "../../../tools/example/example.ts";
import type { Example } from "../../../tools/example/example.ts";
import { commandLine } from "../../../tools/reference/command-line.ts";
import type { CommandLine } from "../../../tools/reference/command-line.ts";
import { readCheckout } from "../../../tools/tidy/checkout.ts";
import { documentPaths } from "../../../tools/tidy/document/document-links.ts";
import { textOf } from "../../../tools/tidy/tree.ts";
import { SUITES } from "../../conformance/suites.ts";
import { ROOT } from "../../support/repository.ts";
import { documentCommands } from "./document-command.ts";
import type { DocumentCommand } from "./document-command.ts";

const tree = readCheckout(ROOT);
const documents = documentPaths(tree);
/** Placeholder for a value of the reader. */
const PLACEHOLDER = /…|\b[A-Z][A-Z_]+\b|[<[{]/u;
/** Errors of incomplete commands, which sentences may contain. */
const INCOMPLETE = new Set([
  "commander.missingArgument",
  "commander.optionMissingArgument",
  "commander.missingMandatoryOptionValue",
  "commander.help",
]);
const ACCEPTED = new Set(["commander.helpDisplayed", "commander.version"]);

let examples: readonly Example[];
beforeAll(async () => {
  examples = await listExamples(new URL("../../../examples/", import.meta.url));
});

/** Returns the command line with actions that do nothing. */
async function parserOnly(): Promise<CommandLine> {
  const levelset = await commandLine();
  removeActions(levelset);
  return levelset;
}

/** Replaces the actions of a command and its subcommands. Commands that only group others have none. */
function removeActions(command: CommandLine): void {
  const isGroup = command.commands.length > 0 && (command.parent === null || command.options.length === 0);
  if (!isGroup) command.action(() => {});
  for (const each of command.commands) removeActions(each);
}

/** Returns the error of a `levelset` command; undefined if it is valid. */
async function levelsetProblem({ words, context }: DocumentCommand): Promise<string | undefined> {
  const args = words.slice(1).filter((word) => !/^(?:…|COMMAND)$/u.test(word));
  const isComplete = context === "block" && args.length === words.length - 1;
  try {
    await (await parserOnly()).parseAsync(args, { from: "user" });
    return undefined;
  } catch (error) {
    const { code = "", message } = error as { readonly code?: string; readonly message: string };
    if (ACCEPTED.has(code) || (!isComplete && INCOMPLETE.has(code))) return undefined;
    if (code === "commander.invalidArgument" && args.some((word) => PLACEHOLDER.test(word))) return undefined;
    return message;
  }
}

/** Returns the error of the arguments of an npm script; the tidy test checks that the script exists. */
function npmProblem({ words: [, verb, script = "", dashes, ...args] }: DocumentCommand): string | undefined {
  if (verb !== "run") return undefined;
  if (dashes !== undefined && dashes !== "--") return `npm consumes ${dashes}: write -- before it`;
  if (args.length === 0 || args.some((arg) => PLACEHOLDER.test(arg) || arg.includes("|"))) return undefined;
  const result = parseScriptArgs(script, args);
  return result?.kind === "say" && result.code !== 0 ? result.lines.join("; ") : undefined;
}

function parseScriptArgs(script: string, args: readonly string[]): ReturnType<typeof exampleCommand> | undefined {
  if (script === "bench") return parseSubcommand(script, BENCHMARKS, args);
  if (script === "conformance") return parseSubcommand(script, SUITES, args);
  return script === "example" ? exampleCommand(args, examples) : undefined;
}

test.for(documents.map((path) => [path] as const))("every command in %s exists", async ([path]) => {
  const problems: string[] = [];
  for (const command of documentCommands(textOf(tree, path))) {
    const problem = command.words[0] === "npm" ? npmProblem(command) : await levelsetProblem(command);
    if (problem !== undefined) problems.push(`${path}:${command.line} ${command.words.join(" ")}: ${problem}`);
  }
  expect(problems).toEqual([]);
});

test("commands are found in documents", () => {
  const found = documents.flatMap((path) => documentCommands(textOf(tree, path)));
  expect(found.filter(({ words, context }) => words[0] === "levelset" && context === "block").length).toBeGreaterThan(
    60,
  );
  expect(found.filter(({ words }) => words[0] === "npm").length).toBeGreaterThan(20);
});
