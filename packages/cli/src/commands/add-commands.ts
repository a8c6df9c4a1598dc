import type { Command } from "commander";
import type { Shell } from "../terminal/index.ts";
import { COMMANDS } from "./commands.ts";

/** Adds the command `only` with its subcommands, or all commands if there is none of that name. */
export async function addCommands(levelset: Command, shell: Shell, only: string): Promise<void> {
  const isKnown = COMMANDS.some(({ commands }) => commands.some(([path]) => path === only));
  for (const { heading, commands } of COMMANDS) {
    levelset.commandsGroup(heading);
    for (const [path, load] of commands) {
      const [top, ...rest] = path.split(" ");
      if (isKnown && top !== only) continue;
      const parent = rest.length === 0 ? levelset : levelset.commands.find((each) => each.name() === top);
      if (parent === undefined) throw new Error(`the parent of ${path} is not in the list of commands`);
      (await load())(parent, shell);
    }
  }
}
