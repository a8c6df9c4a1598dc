import type { Command } from "commander";

/** Reports whether `--verbose` is set. It is an option of `levelset`, so it applies to every command. */
export function isVerbose(command: Command): boolean {
  return command.optsWithGlobals()["verbose"] === true;
}
