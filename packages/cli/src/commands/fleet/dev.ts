import { connect } from "@levelset/operator";
import type { Command } from "commander";
import { describeCluster, findCluster } from "../../cluster/index.ts";
import { adaptersText, fleetSuggestions, printResources, startDevFleet } from "../../fleet-server/index.ts";
import type { DevFleet, DevFleetOptions } from "../../fleet-server/index.ts";
import { ADAPTERS_HELP, addConfigFlags, collectOption, examples, isVerbose } from "../../options/index.ts";
import type { Shell } from "../../terminal/index.ts";

interface FleetDevFlags extends Omit<DevFleetOptions, "cluster"> {
  /** Kubeconfig of the cluster of the adapters. */
  readonly kubeconfig?: string;
}

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
    .action(async (flags: Omit<FleetDevFlags, "verbose">) => dev({ ...flags, verbose: isVerbose(fleet) }, shell));
}

/** Runs a fleet until the process is stopped. */
async function dev({ kubeconfig, ...options }: FleetDevFlags, shell: Shell): Promise<void> {
  const signal = shell.signal();
  if (options.adapters === undefined) return run(options, "", signal, shell);
  const cluster = await findCluster(shell, kubeconfig === undefined ? {} : { kubeconfig });
  const connection = connect(cluster.access);
  try {
    return await run({ ...options, cluster: connection.fetch }, ` in ${describeCluster(cluster)}`, signal, shell);
  } finally {
    await connection.close();
  }
}

/** `where` describes the cluster of the adapters. */
async function run(options: DevFleetOptions, where: string, signal: AbortSignal, shell: Shell): Promise<void> {
  await using running = await startDevFleet(options, shell);
  shell.stdout(startupText(running, where, shell));
  await printResources(running.client, { clock: shell.clock, signal }, (line) => shell.stdout(`${line}\n`));
}

function startupText(running: DevFleet, where: string, { env }: Shell): string {
  const { storeLocation, healthUrls, metricsUrls, pulsedKinds, config, client } = running;
  return [
    `levelset: fleet, ${storeLocation}, loopback only`,
    "",
    `  API        ${client.url}`,
    `  OpenAPI    ${client.url}/openapi.html`,
    `  health     ${healthUrls.map((each) => `${each}/readyz`).join("  ")}`,
    `  metrics    ${metricsUrls.map((each) => `${each}/metrics`).join("  ")}`,
    `  Sentinel   pulses ${pulsedKinds.join(", ")}; broker: ${config.broker.kind}`,
    `  adapters   ${adaptersText(running)}${where}`,
    "",
    "Try, in another terminal:",
    ...fleetSuggestions(running, env),
    "",
    "Resources, as they change (Ctrl-C stops):",
    "",
  ].join("\n");
}
