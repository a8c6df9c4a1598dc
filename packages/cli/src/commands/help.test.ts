import type { Command } from "commander";
import { describe, expect, test } from "vitest";
import { program } from "../main.ts";
import { testShell } from "../terminal/shell.fixture.ts";
import type { Terminal } from "../terminal/shell.ts";

interface Named {
  readonly path: string;
  readonly command: Command;
}

function allOf(command: Command, path: string): readonly Named[] {
  return [{ path, command }, ...command.commands.flatMap((each) => allOf(each, `${path} ${each.name()}`))];
}

async function commandsOn(terminal?: Terminal): Promise<readonly Named[]> {
  const { shell } = testShell({ cwd: ".", ...(terminal === undefined ? {} : { terminal }) });
  return allOf(await program(shell), "levelset");
}

/** Returns the output of `--help`, including examples. */
function helpOf(command: Command): string {
  let text = "";
  command.configureOutput({ writeOut: (part) => void (text += part) });
  command.outputHelp();
  return text;
}

const commands = await commandsOn();

describe.for(commands.map((each) => [each.path, each.command] as const))("the help of %s", ([path, command]) => {
  const help = helpOf(command);

  test("fits 100 columns", () => {
    expect(help.split("\n").filter((line) => line.length > 100)).toEqual([]);
  });

  test("has one line per argument and option", () => {
    const [text = ""] = help.split("\nExamples:");
    expect(text.split("\n").filter((line) => /^ {12,}\S/u.test(line))).toEqual([]);
  });

  test("shows the usage and describes every argument and option", () => {
    expect(help).toMatch(new RegExp(`^Usage: ${path} `, "u"));
    expect(command.description()).not.toBe("");
    const undescribed = [...command.registeredArguments, ...command.options].filter(
      ({ description }) => description === "",
    );
    expect(undescribed.map((each) => each.name())).toEqual([]);
  });
});

const leaves = commands.filter(({ command }) => command.commands.length === 0);

test.for(leaves.map((each) => [each.path, each.command] as const))("%s has its own examples", ([path, command]) => {
  const [, examples = ""] = helpOf(command).split("\nExamples:\n");
  const lines = examples.trimEnd().split("\n");
  expect(lines.filter((line) => !line.includes(`${path} `) && !line.endsWith(path))).toEqual([]);
});

test("help fits a narrow terminal", async () => {
  const narrow = await commandsOn({ columns: 80, colors: false });
  const sentinel = narrow.find(({ path }) => path === "levelset fleet sentinel");
  const [options = ""] = (sentinel === undefined ? "" : helpOf(sentinel.command)).split("\nExamples:");
  expect(options).toContain("--hyperfleet-api-token-cache-ttl");
  expect(options.split("\n").filter((line) => line.length > 80)).toEqual([]);
});

test("the help of levelset lists every command in one line", () => {
  const [root] = commands;
  const lines = root === undefined ? [] : helpOf(root.command).split("\n");
  const runnable = commands
    .slice(1)
    .filter(({ command }) => command.commands.length === 0 || command.options.length > 0);
  const names = runnable.map(({ path }) => path.replace("levelset ", ""));
  const unlisted = names.filter((name) => lines.filter((line) => line.startsWith(`  ${name}  `)).length !== 1);
  expect(unlisted).toEqual([]);
  expect(names).toContain("apiserver check");
});
