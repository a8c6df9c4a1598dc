import { relative } from "node:path";
import { TransportError } from "@levelset/core";
import type { Fetch } from "@levelset/core";
import { FleetClient } from "@levelset/fleet/client";
import { readSentinelRules } from "@levelset/fleet";
import type { FleetConfig } from "@levelset/fleet";
import type { ConfigFlags } from "../options/index.ts";
import type { Shell } from "../terminal/index.ts";
import { checkNoFleet, claimFleetAddress } from "../fleet-location/index.ts";
import type { AdapterAssignment } from "./adapter-assignment.ts";
import { configRequest, readConfig } from "./read-config.ts";
import { fleetWorld, openFleetBroker, openFleetStore } from "./open-fleet.ts";
import { startAdapters } from "./start-adapters.ts";
import { startApi } from "./start-api.ts";
import { startSentinels } from "./start-sentinels.ts";
import { simulateAdapters } from "./simulated-adapters.ts";

/** Options of {@link startDevFleet}. */
export interface DevFleetOptions extends ConfigFlags {
  /** Store resources in memory. */
  readonly memory?: boolean;
  /** Whether missing required adapters are simulated. */
  readonly simulate: boolean;
  /** Adapters to run: module files or configuration directories. */
  readonly adapters?: readonly string[];
  /** Connection to the cluster of the adapters. */
  readonly cluster?: Fetch;
  readonly verbose: boolean;
}

/** A fleet in this process: API, Sentinel, broker and store. Its URL is on disk while it runs. */
export interface DevFleet extends AsyncDisposable {
  readonly client: FleetClient;
  readonly url: string;
  readonly healthUrls: readonly string[];
  readonly metricsUrls: readonly string[];
  /** Description of the store. */
  readonly storeLocation: string;
  /** Kinds for which the Sentinel publishes pulses. */
  readonly pulsedKinds: readonly string[];
  readonly config: FleetConfig;
  /** Adapters that run in this process. */
  readonly assignments: readonly AdapterAssignment[];
  /** Whether missing required adapters are simulated. */
  readonly isSimulated: boolean;
}

/** Free ports and log level warn, so that several fleets can run on one machine. */
const DEFAULTS: Readonly<Record<string, string>> = {
  "api.port": "0",
  "api.health.port": "0",
  "api.metrics.port": "0",
  "sentinel.health.port": "0",
  "sentinel.metrics.port": "0",
  "log.level": "warn",
};

/** Starts a fleet in this process. */
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
  const closeLater = <Part extends AsyncDisposable>(part: Part): Part => {
    opened.push(part);
    return part;
  };
  try {
    const store = closeLater(await openFleetStore(config, world));
    const broker = closeLater(await openFleetBroker(config, world, new AbortController().signal));
    const api = closeLater(await startApi(config, store, world));
    const parts = { config, sentinels: rules, store, broker };
    const sentinels = closeLater(await startSentinels(parts, world));
    const { url, healthUrl = "", metricsUrl = "" } = api.addresses;
    const shared = { broker, rules: rules.map(({ rule }) => rule), url, world };
    const { adapters = [], cluster = noCluster } = options;
    const { assignments } = closeLater(await startAdapters(adapters, { ...shared, cluster }, shell));
    if (options.simulate) closeLater(await simulateAdapters({ ...shared, kinds: config.kinds, running: assignments }));
    closeLater(await claimFleetAddress(url, shell));
    return {
      client: new FleetClient({ url, clock: shell.clock }),
      url,
      healthUrls: [healthUrl, sentinels.healthUrl],
      metricsUrls: [metricsUrl, sentinels.metricsUrl],
      storeLocation: describeStore(config, shell),
      pulsedKinds: rules.map(({ rule }) => rule.resourceType),
      config,
      assignments,
      isSimulated: options.simulate,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const noCluster: Fetch = async () => {
  throw new TransportError("no cluster is configured");
};

function describeStore({ store }: FleetConfig, { cwd }: Shell): string {
  if (store.kind === "postgres") return "stored in PostgreSQL";
  return store.path === ":memory:" ? "in memory" : `stored in ${relative(cwd, store.path)}`;
}
