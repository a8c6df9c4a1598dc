import type { Shell } from "../shell.ts";
import { startDevFleet } from "./dev-fleet.ts";
import type { DevFleet, DevFleetOptions } from "./dev-fleet.ts";
import { printResources } from "./live-resources.ts";

/** `levelset fleet dev`: runs a whole fleet until somebody asks the process to stop. */
export async function runDev(options: DevFleetOptions, shell: Shell): Promise<void> {
  const signal = shell.signal();
  await using running = await startDevFleet(options, shell);
  shell.stdout(screen(running, options.simulate));
  await printResources(running.client, { clock: shell.clock, signal }, (line) => shell.stdout(`${line}\n`));
}

function screen({ place, healthUrls, metricsUrls, pulsed, config, client }: DevFleet, isSimulated: boolean): string {
  const cluster = config.kinds.all.find(({ requiredAdapters }) => requiredAdapters.length > 0) ?? config.kinds.all[0];
  const word = cluster?.kind.toLowerCase() ?? "";
  return [
    `levelset: a fleet, ${place}, on this machine only`,
    "",
    `  API        ${client.url}`,
    `  described  ${client.url}/openapi.html`,
    `  health     ${healthUrls.map((each) => `${each}/readyz`).join("  ")}`,
    `  metrics    ${metricsUrls.map((each) => `${each}/metrics`).join("  ")}`,
    `  Sentinel   pulses ${pulsed.join(", ")}; broker: ${config.broker.kind}`,
    `  adapters   ${isSimulated ? "simulated" : "none: resources wait for reports"}`,
    "",
    "Try, in another terminal:",
    `  npx levelset create ${word} eu-1 --set region=eu`,
    `  npx levelset get ${cluster?.plural ?? ""} -w`,
    isSimulated
      ? `  npx levelset why ${word}/eu-1`
      : `  npx levelset fleet report ${word}/eu-1 ${cluster?.requiredAdapters[0] ?? "ADAPTER"}`,
    "",
    "Resources, as they change (Ctrl-C stops):",
    "",
  ].join("\n");
}
