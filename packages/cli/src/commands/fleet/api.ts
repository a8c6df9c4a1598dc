import type { Command } from "commander";
import { addConfigFlags, examples, isVerbose } from "../../options/index.ts";
import type { ConfigFlags } from "../../options/index.ts";
import type { Shell } from "../../terminal/index.ts";

/** `levelset fleet api`: serves the fleet API. */
export function addFleetApiCommand(fleet: Command, shell: Shell): void {
  addConfigFlags(fleet.command("api").description("serve the fleet API"))
    .option("--host <address>", "address to listen on (default: 127.0.0.1, private to this machine)")
    .option("--port <number>", "port to listen on; 0 selects a free port (default: 8000)")
    .addHelpText(
      "after",
      examples(
        "levelset fleet api --store fleet.db",
        "levelset fleet api -c fleet.yaml --store postgres://fleet@db.example.com/fleet --host 0.0.0.0",
      ),
    )
    .action(async (flags: ConfigFlags) => {
      const { runApi } = await import("../../fleet-server/index.ts");
      await runApi({ ...flags, verbose: isVerbose(fleet) }, shell);
    });
}
