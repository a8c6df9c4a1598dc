import { readFile } from "node:fs/promises";
import { realRandom } from "@levelset/core";
import type { Fetch, Random } from "@levelset/core";
import { TokenFile } from "@levelset/fleet/server";
import type { AdapterConfig } from "@levelset/fleet/server";
import type { Broker } from "@levelset/fleet";
import {
  AdapterMetrics,
  AdapterServer,
  ApiCaller,
  KubernetesTransport,
  parseYaml,
  StepAdapterServer,
  taskHandler,
} from "@levelset/fleet/adapter";
import type { AdapterServerOptions, StepAdapter } from "@levelset/fleet/adapter";
import type { FleetClient } from "@levelset/fleet/client";
import { Cache } from "@levelset/operator";
import type { FleetWorld } from "./start-api.ts";

/** A running adapter. */
export interface RunningAdapter extends AsyncDisposable {
  readonly metrics: AdapterMetrics;
  /** Rejects if the adapter fails fatally. */
  readonly ended: Promise<unknown>;
}

/** Connections of an adapter to broker, API and cluster. */
export interface AdapterConnections {
  readonly broker: Broker;
  readonly topic: string;
  readonly subscription: string;
  readonly fetch: Fetch;
  /** Fetch to the fleet API for YAML adapters. Default: over the network. */
  readonly api?: Fetch;
  readonly random?: Random;
}

const globalFetch: Fetch = (request) => globalThis.fetch(request);

/** Starts a YAML adapter. */
export async function startTaskAdapter(
  config: AdapterConfig,
  connections: AdapterConnections,
  world: FleetWorld,
): Promise<RunningAdapter> {
  const { adapter, api, task, env, redactedConfig } = config;
  const { clock, logger } = world;
  const { api: apiFetch = globalFetch, random = realRandom } = connections;
  const token =
    api.tokenFile === undefined ? undefined : new TokenFile({ path: api.tokenFile, cacheMs: api.tokenTtlMs, clock });
  const { tokenFile: _file, tokenTtlMs: _ttl, ...callerOptions } = api;
  const caller = new ApiCaller({
    ...callerOptions,
    token: async () => token?.token(),
    fetch: apiFetch,
    clock,
    random,
  });
  const cache = new Cache({ fetch: connections.fetch, clock, random, logger });
  const kubernetes = new KubernetesTransport({ cache, adapter: adapter.name, clock });
  const runWorld = {
    api: caller,
    transports: { kubernetes },
    template: clock,
    parseYaml,
    readFile: (path: string) => readFile(path, "utf8"),
    env,
    logger,
  };
  const work = taskHandler({ task, adapter, config: redactedConfig, world: runWorld });
  return start(adapter, connections, { handler: work, transports: [kubernetes] }, world, async () => {
    kubernetes.close();
    await cache.close();
  });
}

/** Starts a TypeScript adapter. */
export async function startStepAdapter(
  adapter: StepAdapter,
  connections: AdapterConnections & { readonly fleet: FleetClient },
  world: FleetWorld,
): Promise<RunningAdapter> {
  const { clock, logger } = world;
  const stop = new AbortController();
  const server = new StepAdapterServer({
    adapter,
    fleet: connections.fleet,
    fetch: connections.fetch,
    clock,
    random: connections.random ?? realRandom,
    logger,
  });
  const ended = server.run(stop.signal);
  ended.catch(() => {}); // the caller observes the rejection through `ended`
  const running = await start(
    { name: adapter.name, version: "0.0.0" },
    connections,
    { handler: server.handlePulse, transports: [] },
    world,
    async () => {
      stop.abort();
      await Promise.allSettled([ended]);
    },
  );
  return { ...running, ended };
}

async function start(
  adapter: { readonly name: string; readonly version: string },
  { broker, topic, subscription }: AdapterConnections,
  parts: Pick<AdapterServerOptions, "handler" | "transports">,
  { clock, logger }: FleetWorld,
  close: () => Promise<void>,
): Promise<RunningAdapter> {
  const metrics = new AdapterMetrics(adapter);
  const options = { broker, topic, subscription, metrics, clock, logger: logger.with({ adapter: adapter.name }) };
  const server = new AdapterServer({ ...parts, ...options });
  await server.start();
  return {
    metrics,
    ended: new Promise(() => {}),
    [Symbol.asyncDispose]: async () => {
      await server.close();
      await close();
    },
  };
}
