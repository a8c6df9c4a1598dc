import { Command } from "commander";
import { describe, expect, test } from "vitest";
import { testShell } from "../terminal/shell.fixture.ts";
import { addCommands } from "./add-commands.ts";

interface CommandPath {
  readonly path: string;
  readonly command: Command;
}

function commandTree(command: Command, path: string): readonly CommandPath[] {
  return command.commands.flatMap((child) => {
    const childPath = `${path} ${child.name()}`;
    return [{ path: childPath, command: child }, ...commandTree(child, childPath)];
  });
}

async function allCommands(): Promise<readonly CommandPath[]> {
  const levelset = new Command("levelset");
  const { shell } = testShell({ cwd: "." });
  await addCommands(levelset, shell, []);
  return commandTree(levelset, "levelset");
}

/** Returns the number of times that the help of an option states its default. */
function defaultCount(command: Command, flags: string): number {
  const help = command.createHelp();
  const option = command.options.find((each) => each.flags === flags);
  return option === undefined ? 0 : help.optionDescription(option).split(/\bdefault\b/u).length - 1;
}

const commands = await allCommands();

describe.for(commands.map(({ path, command }) => [path, command] as const))("the help text of %s", ([, command]) => {
  test("is one line that starts with an imperative verb and has no trailing period", () => {
    const description = command.description();
    const [verb = ""] = description.split(" ");
    expect(description).toMatch(/^[^\n]*[^\n.]$/u);
    expect(verb).toMatch(/^[a-z]+$/u);
    expect(verb).not.toMatch(/(?:s|ing)$/u);
    expect(description.length).toBeLessThanOrEqual(72);
  });

  test("has options of one line that state their default at most once", () => {
    const { options } = command;
    expect(options.filter(({ description }) => /\n|\.$/u.test(description)).map(({ flags }) => flags)).toEqual([]);
    expect(options.filter(({ flags }) => defaultCount(command, flags) > 1).map(({ flags }) => flags)).toEqual([]);
  });
});
