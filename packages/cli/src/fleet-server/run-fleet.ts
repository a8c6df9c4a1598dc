import { whenAborted } from "@levelset/core/internal";
import type { Logger } from "@levelset/core";
import { configText } from "@levelset/fleet/server";
import type { SentinelConfig } from "@levelset/fleet/server";
import { readSentinelRules } from "@levelset/fleet";
import type { FleetConfig } from "@levelset/fleet";
import { selectorText } from "@levelset/fleet/model";
import type { ConfigFlags } from "../options/index.ts";
import type { Shell } from "../terminal/index.ts";
import { fleetWorld, migrateFleetStore, openFleetBroker, openFleetStore, requireSharedBroker } from "./open-fleet.ts";
import { configRequest, logSettings, readConfig } from "./read-config.ts";
import { startApi } from "./start-api.ts";
import { startSentinels } from "./start-sentinels.ts";

/** Flags of a Sentinel. */
export interface SentinelFlags extends ConfigFlags {
  readonly verbose: boolean;
  readonly source?: string;
  /** A HyperFleet Sentinel configuration file. */
  readonly sentinelConfig?: string;
  /** HyperFleet flags by name. */
  readonly hyperfleetFlags: Readonly<Record<string, string | undefined>>;
}

/** `levelset fleet api`: serves the API until the process is stopped. */
export async function runApi(flags: ConfigFlags & { readonly verbose: boolean }, shell: Shell): Promise<void> {
  const config = readConfig(configRequest(flags, shell), shell);
  const signal = shell.signal();
  const world = await fleetWorld(config, flags.verbose, shell);
  await using store = await openFleetStore(config, world);
  await using api = await startApi(config, store, world);
  const { url, healthUrl, metricsUrl } = api.addresses;
  shell.stdout(`API      ${url}\nhealth   ${healthUrl}/readyz\nmetrics  ${metricsUrl}/metrics\n`);
  await whenAborted(signal);
}

/** `levelset fleet sentinel`: publishes due pulses until the process is stopped. */
export async function runSentinel(flags: SentinelFlags, shell: Shell): Promise<void> {
  const { source, sentinelConfig } = flags;
  const base = configRequest(flags, shell);
  const more = {
    ...(source === undefined ? {} : { "sentinel.source": { flag: "--source", text: source } }),
    ...(sentinelConfig === undefined ? {} : { "sentinel.files": { flag: "--sentinel-config", text: sentinelConfig } }),
  };
  const request = { ...base, flags: { ...base.flags, ...more } };
  const config = readConfig(request, shell);
  const sentinels = readSentinelRules(config, request, flags.hyperfleetFlags);
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

/** `levelset fleet migrate`: migrates the schema of the store to this version. */
export async function runMigrate(flags: ConfigFlags & { readonly verbose: boolean }, shell: Shell): Promise<void> {
  const config = readConfig(configRequest(flags, shell), shell);
  const world = await fleetWorld(config, flags.verbose, shell);
  const { from, to } = await migrateFleetStore(config, world);
  const result = from === to ? `is already at version ${to}` : `migrated from version ${from} to ${to}`;
  shell.stdout(`database schema ${result}\n`);
}

/** `levelset fleet config`: prints the effective settings and their sources. */
export function printConfig(flags: ConfigFlags & { readonly all?: boolean }, shell: Shell): void {
  const request = configRequest(flags, shell);
  const config = readConfig(request, shell);
  readSentinelRules(config, request);
  shell.stdout(configText(config.settings, { all: flags.all === true }));
}
