import { relative } from "node:path";
import { TransportError } from "@levelset/core";
import type { Fetch } from "@levelset/core";
import { FleetClient } from "@levelset/fleet/client";
import { readSentinelRules } from "@levelset/fleet";
import type { FleetConfig } from "@levelset/fleet";
import type { ConfigFlags } from "../config-flags.ts";
import type { Shell } from "../shell.ts";
import { checkNoFleet, claimFleetAddress } from "../fleet-address.ts";
import { startAdapters } from "./dev-adapters.ts";
import type { AdapterPost } from "./dev-adapters.ts";
import { configRequest, readConfig } from "./read-config.ts";
import { fleetWorld, openFleetBroker, openFleetStore } from "./fleet-parts.ts";
import { startApi } from "./running-api.ts";
import { startSentinels } from "./running-sentinels.ts";
import { simulateAdapters } from "./simulated-adapters.ts";

/** How a fleet on this machine is run. */
export interface DevFleetOptions extends ConfigFlags {
  /** Keep nothing. */
  readonly memory?: boolean;
  /** Whether the required adapters that there are not are simulated. */
  readonly simulate: boolean;
  /** Adapters to run: files that export some, or directories with their configuration. */
  readonly adapters?: readonly string[];
  /** The cluster that they work in. */
  readonly cluster?: Fetch;
  readonly verbose: boolean;
}

/** A whole fleet in this process: API, Sentinel, broker and store. Its address is on disk for as long as it runs. */
export interface DevFleet extends AsyncDisposable {
  readonly client: FleetClient;
  readonly url: string;
  readonly healthUrls: readonly string[];
  readonly metricsUrls: readonly string[];
  /** Where resources are kept, for people. */
  readonly place: string;
  /** What the Sentinel pulses. */
  readonly pulsed: readonly string[];
  readonly config: FleetConfig;
  /** The adapters that run here. */
  readonly posts: readonly AdapterPost[];
  /** Whether the required adapters that do not are simulated. */
  readonly isSimulated: boolean;
}

/** Ports that are free, and nothing but warnings in the log: what is running beside must not be in the way. */
const DEFAULTS: Readonly<Record<string, string>> = {
  "api.port": "0",
  "api.health.port": "0",
  "api.metrics.port": "0",
  "sentinel.health.port": "0",
  "sentinel.metrics.port": "0",
  "log.level": "warn",
};

/** Starts a whole fleet in this process. */
export async function startDevFleet(options: DevFleetOptions, shell: Shell): Promise<DevFleet> {
  await checkNoFleet(shell);
  const flags = options.memory === true ? { ...options, store: ":memory:" } : options;
  const request = configRequest(flags, shell, DEFAULTS);
  const config = readConfig(request, shell);
  const rules = readSentinelRules(config, request);
  const world = await fleetWorld(config, options.verbose, shell);
  const opened: AsyncDisposable[] = [];
  const close = async (): Promise<void> => {
    for (const each of opened.toReversed()) await each[Symbol.asyncDispose]();
  };
  const keep = <Part extends AsyncDisposable>(part: Part): Part => {
    opened.push(part);
    return part;
  };
  try {
    const store = keep(await openFleetStore(config, world));
    const broker = keep(await openFleetBroker(config, world, new AbortController().signal));
    const api = keep(await startApi(config, store, world));
    const parts = { config, sentinels: rules, store, broker };
    const sentinels = keep(await startSentinels(parts, world));
    const { url, healthUrl = "", metricsUrl = "" } = api.addresses;
    const shared = { broker, rules: rules.map(({ rule }) => rule), url, world };
    const { adapters = [], cluster = noCluster } = options;
    const { posts } = keep(await startAdapters(adapters, { ...shared, cluster }, shell));
    if (options.simulate) keep(await simulateAdapters({ ...shared, kinds: config.kinds, real: posts }));
    keep(await claimFleetAddress(url, shell));
    return {
      client: new FleetClient({ url, clock: shell.clock }),
      url,
      healthUrls: [healthUrl, sentinels.healthUrl],
      metricsUrls: [metricsUrl, sentinels.metricsUrl],
      place: placeOf(config, shell),
      pulsed: rules.map(({ rule }) => rule.resourceType),
      config,
      posts,
      isSimulated: options.simulate,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const noCluster: Fetch = async () => {
  throw new TransportError("there is no cluster");
};

function placeOf({ store }: FleetConfig, { cwd }: Shell): string {
  if (store.kind === "postgres") return "kept in PostgreSQL";
  return store.path === ":memory:" ? "in memory" : `kept in ${relative(cwd, store.path)}`;
}
