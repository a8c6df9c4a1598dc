import { InputError } from "@levelset/core";
import type { Logger } from "@levelset/core";
import { configText, readSentinelRules, selectorText } from "@levelset/fleet";
import type { FleetConfig, SentinelConfig } from "@levelset/fleet";
import type { ConfigFlags } from "../config-flags.ts";
import { aborted } from "../signals.ts";
import type { Shell } from "../shell.ts";
import { fleetWorld, migrateFleetStore, openFleetBroker, openFleetStore } from "./fleet-parts.ts";
import { configRequest, logSettings, readConfig } from "./read-config.ts";
import { startApi } from "./running-api.ts";
import { startSentinels } from "./running-sentinels.ts";

/** Flags of a Sentinel. */
export interface SentinelFlags extends ConfigFlags {
  readonly verbose: boolean;
  readonly source?: string;
  /** A file of the originals. */
  readonly sentinelConfig?: string;
  /** Flags of the originals, by name. */
  readonly originals: Readonly<Record<string, string | undefined>>;
}

/** `levelset fleet api`: serves the API until somebody asks the process to stop. */
export async function runApi(flags: ConfigFlags & { readonly verbose: boolean }, shell: Shell): Promise<void> {
  const config = readConfig(configRequest(flags, shell), shell);
  const signal = shell.signal();
  const world = await fleetWorld(config, flags.verbose, shell);
  await using store = await openFleetStore(config, world);
  await using api = await startApi(config, store, world);
  const { url, healthUrl, metricsUrl } = api.addresses;
  shell.stdout(`API      ${url}\nhealth   ${healthUrl}/readyz\nmetrics  ${metricsUrl}/metrics\n`);
  await aborted(signal);
}

/** `levelset fleet sentinel`: pulses what is due until somebody asks the process to stop. */
export async function runSentinel(flags: SentinelFlags, shell: Shell): Promise<void> {
  const { source, sentinelConfig } = flags;
  const asked = configRequest(flags, shell);
  const more = {
    ...(source === undefined ? {} : { "sentinel.source": { flag: "--source", text: source } }),
    ...(sentinelConfig === undefined ? {} : { "sentinel.files": { flag: "--sentinel-config", text: sentinelConfig } }),
  };
  const request = { ...asked, flags: { ...asked.flags, ...more } };
  const config = readConfig(request, shell);
  const sentinels = readSentinelRules(config, request, flags.originals);
  if (config.broker.kind === "memory") {
    throw new InputError("the broker is memory, which reaches no other process: nobody would hear this Sentinel", {
      hint: "set broker.kind to nats or rabbitmq; levelset fleet dev runs all in one process",
    });
  }
  const signal = shell.signal();
  const world = await fleetWorld({ log: logOf(config, sentinels) }, flags.verbose, shell);
  if (sentinels.some(({ debugConfig }) => debugConfig)) {
    logSettings(config.settings, world.logger);
    logRules(sentinels, world.logger);
  }
  await using store = config.sentinel.source === "store" ? await openFleetStore(config, world) : undefined;
  // Closed by us, after the Sentinels have ended: what is under way is still published.
  await using broker = await openFleetBroker(config, world, new AbortController().signal);
  await using running = await startSentinels({ config, sentinels, store, broker }, world);
  const pulsed = sentinels.map(({ rule }) => `${rule.resourceType} → ${rule.topic}`).join(", ");
  shell.stdout(`Sentinel ${pulsed}\nhealth   ${running.healthUrl}/readyz\nmetrics  ${running.metricsUrl}/metrics\n`);
  await Promise.race([aborted(signal), running.ended]);
}

/** What the process of Sentinels logs: by our settings; where they say nothing, by the originals' file of a Sentinel that is alone. */
function logOf({ log, settings }: FleetConfig, sentinels: readonly SentinelConfig[]): FleetConfig["log"] {
  const [alone, ...others] = sentinels;
  if (alone === undefined || others.length > 0) return log;
  const isOpen = (name: string): boolean =>
    settings.some(({ path, origin }) => path === `log.${name}` && origin.kind === "default");
  const said = Object.entries(alone.log).filter(([name, value]) => value !== undefined && isOpen(name));
  return { ...log, ...Object.fromEntries(said) };
}

function logRules(sentinels: readonly SentinelConfig[], logger: Logger): void {
  for (const { name, rule } of sentinels) {
    const { resourceType, topic, pollIntervalMs, decision, data } = rule;
    const selector = selectorText(rule.selector);
    const expressions = { decision: decision.texts, data: data.texts };
    logger.info("rule", { name, resourceType, topic, selector, pollIntervalMs, ...expressions });
  }
}

/** `levelset fleet migrate`: brings the tables of a store to this version. */
export async function runMigrate(flags: ConfigFlags & { readonly verbose: boolean }, shell: Shell): Promise<void> {
  const config = readConfig(configRequest(flags, shell), shell);
  const world = await fleetWorld(config, flags.verbose, shell);
  const { from, to } = await migrateFleetStore(config, world);
  const told = from === to ? `are at version ${to} already` : `went from version ${from} to ${to}`;
  shell.stdout(`the tables ${told}\n`);
}

/** `levelset fleet config`: the settings in effect, and where each is from. */
export function printConfig(flags: ConfigFlags & { readonly all?: boolean }, shell: Shell): void {
  const request = configRequest(flags, shell);
  const config = readConfig(request, shell);
  readSentinelRules(config, request);
  shell.stdout(configText(config.settings, { all: flags.all === true }));
}
