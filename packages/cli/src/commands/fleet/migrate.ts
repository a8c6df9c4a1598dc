import type { Command } from "commander";
import { configRequest, fleetWorld, migrateFleetStore, readConfig } from "../../fleet-server/index.ts";
import { addConfigFlags, examples, isVerbose } from "../../options/index.ts";
import type { ConfigFlags } from "../../options/index.ts";
import type { Shell } from "../../terminal/index.ts";

/** `levelset fleet migrate`: migrates the database schema of the store. */
export function addFleetMigrateCommand(fleet: Command, shell: Shell): void {
  const command = fleet.command("migrate").description("migrate the database schema of the store to this version");
  addConfigFlags(command)
    .addHelpText("after", examples("levelset fleet migrate --store postgres://fleet@db.example.com/fleet"))
    .action(async (flags: ConfigFlags) => migrate(flags, isVerbose(fleet), shell));
}

async function migrate(flags: ConfigFlags, verbose: boolean, shell: Shell): Promise<void> {
  const config = readConfig(configRequest(flags, shell), shell);
  const world = await fleetWorld(config, verbose, shell);
  const { from, to } = await migrateFleetStore(config, world);
  const result = from === to ? `is already at version ${to}` : `migrated from version ${from} to ${to}`;
  shell.stdout(`database schema ${result}\n`);
}
