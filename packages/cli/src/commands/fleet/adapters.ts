import type { Command } from "commander";
import { addFleetFlags } from "../../cluster/index.ts";
import type { AdaptersFlags } from "../../fleet-server/index.ts";
import { addConfigFlags, examples, isVerbose } from "../../options/index.ts";
import type { Shell } from "../../terminal/index.ts";

/** `levelset fleet adapters PATH…`: runs adapters that are written in TypeScript. */
export function addFleetAdaptersCommand(fleet: Command, shell: Shell): void {
  const command = fleet
    .command("adapters")
    .argument("<paths...>", "TypeScript or JavaScript files with adapters as default export")
    .description("run adapters that are written in TypeScript");
  addFleetFlags(addConfigFlags(command))
    .option("--kubeconfig <file>", "kubeconfig file for the adapters (default: as for why)")
    .addHelpText(
      "after",
      "\n--config names the fleet's configuration: the broker and the Sentinel's topics are read from it.",
    )
    .addHelpText("after", examples("levelset fleet adapters adapters.ts -c fleet.yaml --fleet http://127.0.0.1:8000"))
    .action(async (paths: readonly string[], flags: Omit<AdaptersFlags, "verbose">) => {
      const { runAdapters } = await import("../../fleet-server/index.ts");
      await runAdapters(paths, { ...flags, verbose: isVerbose(fleet) }, shell);
    });
}
