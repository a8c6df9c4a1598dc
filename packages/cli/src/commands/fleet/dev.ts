import type { Command } from "commander";
import type { RunDevOptions } from "../../fleet-server/index.ts";
import { ADAPTERS_HELP, addConfigFlags, collectOption, examples, isVerbose } from "../../options/index.ts";
import type { Shell } from "../../terminal/index.ts";

/** `levelset fleet dev`: runs a whole fleet in one process. */
export function addFleetDevCommand(fleet: Command, shell: Shell): void {
  const command = fleet.command("dev").description("run a whole fleet in one process, with simulated adapters");
  addConfigFlags(command)
    .option("--port <number>", "port of the API; 0 selects a free port (default: 0)")
    .option("--memory", "store resources in memory (default: in .levelset/fleet.db)")
    .option("--adapters <path>", ADAPTERS_HELP, collectOption)
    .option("--kubeconfig <file>", "kubeconfig file for the adapters (default: as for why)")
    .option("--no-simulate", "do not simulate missing adapters; resources wait for their reports")
    .addHelpText(
      "after",
      examples(
        "levelset fleet dev",
        "levelset fleet dev --memory --adapters adapters.ts",
        "levelset fleet dev -c fleet.yaml -s api.limits.in_flight_max=50",
      ),
    )
    .action(async (flags: Omit<RunDevOptions, "verbose">) => {
      const { runDev } = await import("../../fleet-server/index.ts");
      await runDev({ ...flags, verbose: isVerbose(fleet) }, shell);
    });
}
