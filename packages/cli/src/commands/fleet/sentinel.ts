import { Option } from "commander";
import type { Command } from "commander";
import { addConfigFlags, addHyperfleetFlags, examples, hyperfleetFlags, isVerbose } from "../../options/index.ts";
import type { ConfigFlags } from "../../options/index.ts";
import type { Shell } from "../../terminal/index.ts";

/** `levelset fleet sentinel`: publishes pulses for due resources. */
export function addFleetSentinelCommand(fleet: Command, shell: Shell): void {
  const command = fleet.command("sentinel").description("publish pulses for due resources; replicas share the work");
  addConfigFlags(command)
    .addOption(new Option("--source <source>", "source of the resources").choices(["store", "http"]))
    .option("--sentinel-config <file>", "HyperFleet Sentinel file (--config takes it too)");
  addHyperfleetFlags(command)
    .addHelpText("after", "\nThe HyperFleet flags and environment variables apply to this Sentinel only.")
    .addHelpText(
      "after",
      examples("levelset fleet sentinel -c fleet.yaml", "levelset fleet sentinel -c fleet.yaml --source http"),
    )
    .action(async (flags: ConfigFlags & { readonly source?: string; readonly sentinelConfig?: string }) => {
      const { runSentinel } = await import("../../fleet-server/index.ts");
      const verbose = isVerbose(fleet);
      await runSentinel({ ...flags, hyperfleetFlags: hyperfleetFlags(command.opts()), verbose }, shell);
    });
}
