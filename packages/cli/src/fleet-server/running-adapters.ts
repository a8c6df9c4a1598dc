import { readFile } from "node:fs/promises";
import { realRandom } from "@levelset/core";
import type { Fetch, Random } from "@levelset/core";
import { TokenFile } from "@levelset/fleet";
import type { AdapterConfig, Broker } from "@levelset/fleet";
import {
  AdapterMetrics,
  AdapterServer,
  ApiCaller,
  KubernetesTransport,
  parseYaml,
  StepwiseServer,
  taskWork,
} from "@levelset/fleet/adapter";
import type { AdapterServerOptions, StepAdapter } from "@levelset/fleet/adapter";
import type { FleetClient } from "@levelset/fleet/client";
import { Cache } from "@levelset/operator";
import type { FleetWorld } from "./running-api.ts";

/** An adapter that takes pulses. */
export interface RunningAdapter extends AsyncDisposable {
  readonly metrics: AdapterMetrics;
  /** Rejects if it cannot go on. */
  readonly ended: Promise<unknown>;
}

/** Where an adapter gets its pulses, and the cluster that it works in. */
export interface AdapterPlace {
  readonly broker: Broker;
  readonly topic: string;
  readonly subscription: string;
  readonly fetch: Fetch;
  /** How one that is configured reaches the fleet's API. Default: over the network. */
  readonly api?: Fetch;
  readonly random?: Random;
}

const globalFetch: Fetch = (request) => globalThis.fetch(request);

/** Starts an adapter that is configured in YAML. */
export async function startTaskAdapter(
  config: AdapterConfig,
  place: AdapterPlace,
  world: FleetWorld,
): Promise<RunningAdapter> {
  const { adapter, api, task, env, shown } = config;
  const { clock, logger } = world;
  const { api: apiFetch = globalFetch, random = realRandom } = place;
  const token =
    api.tokenFile === undefined ? undefined : new TokenFile({ path: api.tokenFile, cacheMs: api.tokenTtlMs, clock });
  const { tokenFile: _file, tokenTtlMs: _ttl, ...asked } = api;
  const caller = new ApiCaller({
    ...asked,
    token: async () => token?.token(),
    fetch: apiFetch,
    clock,
    random,
  });
  const cache = new Cache({ fetch: place.fetch, clock, random, logger });
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
  const work = taskWork({ task, adapter, config: shown, world: runWorld });
  return start(adapter, place, { work, transports: [kubernetes] }, world, async () => {
    kubernetes.close();
    await cache.close();
  });
}

/** Starts an adapter that is made of steps. */
export async function startStepAdapter(
  adapter: StepAdapter,
  place: AdapterPlace & { readonly fleet: FleetClient },
  world: FleetWorld,
): Promise<RunningAdapter> {
  const { clock, logger } = world;
  const stop = new AbortController();
  const server = new StepwiseServer({
    adapter,
    fleet: place.fleet,
    fetch: place.fetch,
    clock,
    random: place.random ?? realRandom,
    logger,
  });
  const ended = server.run(stop.signal);
  ended.catch(() => {}); // the caller hears of it when it looks
  const running = await start(
    { name: adapter.name, version: "0.0.0" },
    place,
    { work: server.work, transports: [] },
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
  { broker, topic, subscription }: AdapterPlace,
  parts: Pick<AdapterServerOptions, "work" | "transports">,
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
