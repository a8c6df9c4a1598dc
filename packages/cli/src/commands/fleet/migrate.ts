import type { Command } from "commander";
import { addConfigFlags, examples, isVerbose } from "../../options/index.ts";
import type { ConfigFlags } from "../../options/index.ts";
import type { Shell } from "../../terminal/index.ts";

/** `levelset fleet migrate`: migrates the database schema of the store. */
export function addFleetMigrateCommand(fleet: Command, shell: Shell): void {
  const command = fleet.command("migrate").description("migrate the database schema of the store to this version");
  addConfigFlags(command)
    .addHelpText("after", examples("levelset fleet migrate --store postgres://fleet@db.example.com/fleet"))
    .action(async (flags: ConfigFlags) => {
      const { runMigrate } = await import("../../fleet-server/index.ts");
      await runMigrate({ ...flags, verbose: isVerbose(fleet) }, shell);
    });
}
