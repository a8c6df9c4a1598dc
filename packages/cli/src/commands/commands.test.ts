import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { program } from "../main.ts";
import { testShell } from "../terminal/shell.fixture.ts";
import { COMMANDS } from "./commands.ts";

const paths = COMMANDS.flatMap(({ commands }) => commands.map(([path]) => path));
/** Files of this folder that are not commands. */
const SHARED = ["add-commands", "command-tree", "commands", "index"];

/** Returns the path of the command in a file: `operand create` for `operand/create.ts`. */
function commandIn(file: string): string {
  const [noun = "", verb = noun] = file.replace(/\.ts$/u, "").split(/[/\\]/u);
  return noun === verb ? noun : `${noun} ${verb}`;
}

test("every file of the folder is a listed command, under the path of the file", () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" });
  const found = files
    .filter((file) => file.endsWith(".ts") && !/\.(?:test|fixture)\.ts$/u.test(file))
    .map(commandIn)
    .filter((path) => !SHARED.includes(path));
  const nouns = paths.filter((path) => !found.includes(path));
  expect(found.filter((path) => !paths.includes(path))).toEqual([]);
  // Commands without a file only group others.
  expect(nouns.filter((noun) => !paths.some((path) => path.startsWith(`${noun} `)))).toEqual([]);
});

test.for(paths)("%s can be loaded alone, under its path", async (path) => {
  const { shell } = testShell({ cwd: "." });
  const { commands } = await program(shell, ...path.split(" "));
  const loaded = commands.flatMap((each) => [
    each.name(),
    ...each.commands.map((sub) => `${each.name()} ${sub.name()}`),
  ]);
  const related = (each: string): boolean => `${each} `.startsWith(`${path} `) || path.startsWith(`${each} `);
  expect(loaded).toEqual(paths.filter(related));
});
