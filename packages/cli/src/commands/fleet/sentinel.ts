import { whenAborted } from "@levelset/core/internal";
import type { Logger } from "@levelset/core";
import { readSentinelRules } from "@levelset/fleet";
import type { FleetConfig } from "@levelset/fleet";
import { selectorText } from "@levelset/fleet/model";
import type { SentinelConfig } from "@levelset/fleet/server";
import { Option } from "commander";
import type { Command } from "commander";
import {
  configRequest,
  fleetWorld,
  logSettings,
  openFleetBroker,
  openFleetStore,
  readConfig,
  requireSharedBroker,
  startSentinels,
} from "../../fleet-server/index.ts";
import { addConfigFlags, addHyperfleetFlags, examples, hyperfleetFlags, isVerbose } from "../../options/index.ts";
import type { ConfigFlags } from "../../options/index.ts";
import type { Shell } from "../../terminal/index.ts";

interface SentinelFlags extends ConfigFlags {
  readonly verbose: boolean;
  readonly source?: string;
  /** A HyperFleet Sentinel configuration file. */
  readonly sentinelConfig?: string;
}

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
    .action(async (flags: Omit<SentinelFlags, "verbose">) =>
      publish({ ...flags, verbose: isVerbose(fleet) }, hyperfleetFlags(command.opts()), shell),
    );
}

/** Publishes due pulses until the process is stopped. `hyperfleet` are the HyperFleet flags by name. */
async function publish(
  flags: SentinelFlags,
  hyperfleet: Readonly<Record<string, string>>,
  shell: Shell,
): Promise<void> {
  const { source, sentinelConfig } = flags;
  const base = configRequest(flags, shell);
  const more = {
    ...(source === undefined ? {} : { "sentinel.source": { flag: "--source", text: source } }),
    ...(sentinelConfig === undefined ? {} : { "sentinel.files": { flag: "--sentinel-config", text: sentinelConfig } }),
  };
  const request = { ...base, flags: { ...base.flags, ...more } };
  const config = readConfig(request, shell);
  const sentinels = readSentinelRules(config, request, hyperfleet);
  requireSharedBroker(config.broker, {
    consequence: "no adapter would receive pulses",
    alternative: "levelset fleet dev runs all in one process",
  });
  const signal = shell.signal();
  const world = await fleetWorld({ log: logOf(config, sentinels) }, flags.verbose, shell);
  if (sentinels.some(({ debugConfig }) => debugConfig)) {
    logSettings(config.settings, world.logger);
    logRules(sentinels, world.logger);
  }
  await using store = config.sentinel.source === "store" ? await openFleetStore(config, world) : undefined;
  // Closed after the Sentinels have stopped, so that in-flight pulses are published.
  await using broker = await openFleetBroker(config, world, new AbortController().signal);
  await using running = await startSentinels({ config, sentinels, store, broker }, world);
  const pulsed = sentinels.map(({ rule }) => `${rule.resourceType} → ${rule.topic}`).join(", ");
  shell.stdout(`Sentinel ${pulsed}\nhealth   ${running.healthUrl}/readyz\nmetrics  ${running.metricsUrl}/metrics\n`);
  await Promise.race([whenAborted(signal), running.ended]);
}

/** Returns the log settings: ours, else those of the HyperFleet file if there is only one Sentinel. */
function logOf({ log, settings }: FleetConfig, sentinels: readonly SentinelConfig[]): FleetConfig["log"] {
  const [only, ...others] = sentinels;
  if (only === undefined || others.length > 0) return log;
  const isDefault = (name: string): boolean =>
    settings.some(({ path, source }) => path === `log.${name}` && source.kind === "default");
  const unset = Object.entries(only.log).filter(([name, value]) => value !== undefined && isDefault(name));
  return { ...log, ...Object.fromEntries(unset) };
}

function logRules(sentinels: readonly SentinelConfig[], logger: Logger): void {
  for (const { name, rule } of sentinels) {
    const texts = { selector: selectorText(rule.selector), decision: rule.decision.texts, data: rule.data.texts };
    logger.info("rule", { name, ...rule, ...texts });
  }
}
