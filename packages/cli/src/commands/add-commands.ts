import type { Command } from "commander";
import type { Shell } from "../terminal/index.ts";
import { COMMANDS } from "./commands.ts";

/** Adds the command that the arguments begin with, its parent and its subcommands, or all commands if there is none. */
export async function addCommands(levelset: Command, shell: Shell, args: readonly string[]): Promise<void> {
  const [first = "", second = ""] = args;
  const named = [`${first} ${second}`, first].find((each) => {
    return COMMANDS.some(({ commands }) => commands.some(([path]) => path === each));
  });
  for (const { heading, commands } of COMMANDS) {
    levelset.commandsGroup(heading);
    for (const [path, load] of commands) {
      if (named !== undefined && !isSameOrBelow(path, named) && !isSameOrBelow(named, path)) continue;
      const [top, ...rest] = path.split(" ");
      const parent = rest.length === 0 ? levelset : levelset.commands.find((each) => each.name() === top);
      if (parent === undefined) throw new Error(`the parent of ${path} is not in the list of commands`);
      (await load())(parent, shell);
    }
  }
}

/** Reports whether a path is that of a command or of one of its subcommands. */
function isSameOrBelow(path: string, command: string): boolean {
  return `${path} `.startsWith(`${command} `);
}
