import { connect } from "@levelset/operator";
import { describeCluster, findCluster } from "../cluster/index.ts";
import type { Shell } from "../terminal/index.ts";
import { startDevFleet } from "./dev-fleet.ts";
import type { DevFleet, DevFleetOptions } from "./dev-fleet.ts";
import { adaptersText, fleetSuggestions } from "./fleet-suggestions.ts";
import { printResources } from "./print-resources.ts";

/** Options of `levelset fleet dev`. */
export interface RunDevOptions extends Omit<DevFleetOptions, "cluster"> {
  /** Kubeconfig of the cluster of the adapters. */
  readonly kubeconfig?: string;
}

/** `levelset fleet dev`: runs a fleet until the process is stopped. */
export async function runDev({ kubeconfig, ...options }: RunDevOptions, shell: Shell): Promise<void> {
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
