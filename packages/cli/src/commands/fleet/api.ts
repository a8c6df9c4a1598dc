import { whenAborted } from "@levelset/core/internal";
import type { Command } from "commander";
import { configRequest, fleetWorld, openFleetStore, readConfig, startApi } from "../../fleet-server/index.ts";
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
    .action(async (flags: ConfigFlags) => serve(flags, isVerbose(fleet), shell));
}

/** Serves the API until the process is stopped. */
async function serve(flags: ConfigFlags, verbose: boolean, shell: Shell): Promise<void> {
  const config = readConfig(configRequest(flags, shell), shell);
  const signal = shell.signal();
  const world = await fleetWorld(config, verbose, shell);
  await using store = await openFleetStore(config, world);
  await using api = await startApi(config, store, world);
  const { url, healthUrl, metricsUrl } = api.addresses;
  shell.stdout(`API      ${url}\nhealth   ${healthUrl}/readyz\nmetrics  ${metricsUrl}/metrics\n`);
  await whenAborted(signal);
}
