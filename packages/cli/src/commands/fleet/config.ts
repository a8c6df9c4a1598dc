import type { Command } from "commander";
import { addConfigFlags, examples } from "../../options/index.ts";
import type { ConfigFlags } from "../../options/index.ts";
import type { Shell } from "../../terminal/index.ts";

/** `levelset fleet config`: prints the effective settings. */
export function addFleetConfigCommand(fleet: Command, shell: Shell): void {
  const description = "print the effective settings with sources, without secrets";
  addConfigFlags(fleet.command("config").description(description))
    .option("--all", "also print settings without a value, with a description of each")
    .addHelpText("after", examples("levelset fleet config -c fleet.yaml", "levelset fleet config --all"))
    .action(async (flags: ConfigFlags & { readonly all?: boolean }) => {
      const { printConfig } = await import("../../fleet-server/index.ts");
      printConfig(flags, shell);
    });
}
