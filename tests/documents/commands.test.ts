import { beforeAll, expect, test } from "vitest";
import { BENCHES } from "../../bench/benches.ts";
import { choose } from "../../tools/choice/choice.ts";
import { exampleCommand, listExamples } from "../../tools/example/example.ts";
import type { Example } from "../../tools/example/example.ts";
import { commandLine } from "../../tools/reference/command-line.ts";
import type { CommandLine } from "../../tools/reference/command-line.ts";
import { readCheckout } from "../../tools/tidy/checkout.ts";
import { documentPaths } from "../../tools/tidy/document.ts";
import { textOf } from "../../tools/tidy/tree.ts";
import { SUITES } from "../conformance/suites.ts";
import { ROOT } from "../support/repository.ts";
import { shownCommands } from "./shown-command.ts";
import type { ShownCommand } from "./shown-command.ts";

const tree = readCheckout(ROOT);
const documents = documentPaths(tree);
/** Stands for something that the reader knows. */
const PLACEHOLDER = /…|\b[A-Z][A-Z_]+\b|[<[{]/u;
/** What is only named need not be whole. */
const NOT_WHOLE = new Set([
  "commander.missingArgument",
  "commander.optionMissingArgument",
  "commander.missingMandatoryOptionValue",
  "commander.help",
]);
const FINE = new Set(["commander.helpDisplayed", "commander.version"]);

let examples: readonly Example[];
beforeAll(async () => {
  examples = await listExamples(new URL("../../examples/", import.meta.url));
});

/** The command line, with nothing behind it. */
async function idleProgram(): Promise<CommandLine> {
  const levelset = await commandLine();
  idle(levelset);
  return levelset;
}

/** A command that only groups others has nothing to run; one with options of its own runs also without a subcommand. */
function idle(command: CommandLine): void {
  const isGroup = command.commands.length > 0 && (command.parent === null || command.options.length === 0);
  if (!isGroup) command.action(() => {});
  for (const each of command.commands) idle(each);
}

/** What is wrong with a command of ours; undefined if nothing is. */
async function levelsetProblem({ words, place }: ShownCommand): Promise<string | undefined> {
  const given = words.slice(1).filter((word) => !/^(?:…|COMMAND)$/u.test(word));
  const isWhole = place === "block" && given.length === words.length - 1;
  try {
    await (await idleProgram()).parseAsync(given, { from: "user" });
    return undefined;
  } catch (error) {
    const { code = "", message } = error as { readonly code?: string; readonly message: string };
    if (FINE.has(code) || (!isWhole && NOT_WHOLE.has(code))) return undefined;
    if (code === "commander.invalidArgument" && given.some((word) => PLACEHOLDER.test(word))) return undefined;
    return message;
  }
}

/** What is wrong with what follows a script of npm. That the script is there is for the tidy test to say. */
function npmProblem({ words: [, verb, script = "", dashes, ...args] }: ShownCommand): string | undefined {
  if (verb !== "run") return undefined;
  if (dashes !== undefined && dashes !== "--") return `npm takes ${dashes} for itself: -- goes before it`;
  if (args.length === 0 || args.some((arg) => PLACEHOLDER.test(arg) || arg.includes("|"))) return undefined;
  const answer = answerOf(script, args);
  return answer?.kind === "say" && answer.code !== 0 ? answer.lines.join("; ") : undefined;
}

function answerOf(script: string, args: readonly string[]): ReturnType<typeof exampleCommand> | undefined {
  if (script === "bench") return choose(script, BENCHES, args);
  if (script === "conformance") return choose(script, SUITES, args);
  return script === "example" ? exampleCommand(args, examples) : undefined;
}

test.for(documents.map((path) => [path] as const))("every command in %s is one that there is", async ([path]) => {
  const problems: string[] = [];
  for (const shown of shownCommands(textOf(tree, path))) {
    const problem = shown.words[0] === "npm" ? npmProblem(shown) : await levelsetProblem(shown);
    if (problem !== undefined) problems.push(`${path}:${shown.line} ${shown.words.join(" ")}: ${problem}`);
  }
  expect(problems).toEqual([]);
});

test("commands are found at all", () => {
  const found = documents.flatMap((path) => shownCommands(textOf(tree, path)));
  expect(found.filter(({ words, place }) => words[0] === "levelset" && place === "block").length).toBeGreaterThan(60);
  expect(found.filter(({ words }) => words[0] === "npm").length).toBeGreaterThan(20);
});
