import { connect } from "@levelset/operator";
import { findCluster } from "../access.ts";
import { describeCluster } from "../cluster-session.ts";
import type { Shell } from "../shell.ts";
import { startDevFleet } from "./dev-fleet.ts";
import type { DevFleet, DevFleetOptions } from "./dev-fleet.ts";
import { adaptersText, fleetSuggestions } from "./fleet-suggestions.ts";
import { printResources } from "./live-resources.ts";

/** How `levelset fleet dev` is run. */
export interface DevOptions extends Omit<DevFleetOptions, "cluster"> {
  /** The cluster that adapters work in. */
  readonly kubeconfig?: string;
}

/** `levelset fleet dev`: runs a whole fleet until somebody asks the process to stop. */
export async function runDev({ kubeconfig, ...options }: DevOptions, shell: Shell): Promise<void> {
  const signal = shell.signal();
  if (options.adapters === undefined) return run(options, "", signal, shell);
  const asked = await findCluster(shell, kubeconfig === undefined ? {} : { kubeconfig });
  const connection = connect(asked.access);
  try {
    return await run({ ...options, cluster: connection.fetch }, ` in ${describeCluster(asked)}`, signal, shell);
  } finally {
    await connection.close();
  }
}

/** `where`: the cluster that adapters work in, for people. */
async function run(options: DevFleetOptions, where: string, signal: AbortSignal, shell: Shell): Promise<void> {
  await using running = await startDevFleet(options, shell);
  shell.stdout(screen(running, where, shell));
  await printResources(running.client, { clock: shell.clock, signal }, (line) => shell.stdout(`${line}\n`));
}

function screen(running: DevFleet, where: string, { env }: Shell): string {
  const { place, healthUrls, metricsUrls, pulsed, config, client } = running;
  return [
    `levelset: a fleet, ${place}, on this machine only`,
    "",
    `  API        ${client.url}`,
    `  described  ${client.url}/openapi.html`,
    `  health     ${healthUrls.map((each) => `${each}/readyz`).join("  ")}`,
    `  metrics    ${metricsUrls.map((each) => `${each}/metrics`).join("  ")}`,
    `  Sentinel   pulses ${pulsed.join(", ")}; broker: ${config.broker.kind}`,
    `  adapters   ${adaptersText(running)}${where}`,
    "",
    "Try, in another terminal:",
    ...fleetSuggestions(running, env),
    "",
    "Resources, as they change (Ctrl-C stops):",
    "",
  ].join("\n");
}
