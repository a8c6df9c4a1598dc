import { readSentinelRules } from "@levelset/fleet";
import { configText } from "@levelset/fleet/server";
import type { Command } from "commander";
import { configRequest, readConfig } from "../../fleet-server/index.ts";
import { addConfigFlags, examples } from "../../options/index.ts";
import type { ConfigFlags } from "../../options/index.ts";
import type { Shell } from "../../terminal/index.ts";

/** `levelset fleet config`: prints the effective settings. */
export function addFleetConfigCommand(fleet: Command, shell: Shell): void {
  const description = "print the effective settings with sources, without secrets";
  addConfigFlags(fleet.command("config").description(description))
    .option("--all", "also print settings without a value, with a description of each")
    .addHelpText("after", examples("levelset fleet config -c fleet.yaml", "levelset fleet config --all"))
    .action((flags: ConfigFlags & { readonly all?: boolean }) => printConfig(flags, shell));
}

/** Prints the effective settings and their sources. */
function printConfig(flags: ConfigFlags & { readonly all?: boolean }, shell: Shell): void {
  const request = configRequest(flags, shell);
  const config = readConfig(request, shell);
  readSentinelRules(config, request);
  shell.stdout(configText(config.settings, { all: flags.all === true }));
}
