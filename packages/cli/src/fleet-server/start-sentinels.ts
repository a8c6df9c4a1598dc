import { InputError, realRandom } from "@levelset/core";
import { ApiSource, PollingSentinel, SentinelMetrics, TokenFile } from "@levelset/fleet/server";
import { selectorSearch } from "@levelset/fleet/model";
import { Sentinel, serveSentinels } from "@levelset/fleet";
import { sentinelTracer } from "@levelset/fleet/internal";
import type { Broker, FleetConfig, FleetStore } from "@levelset/fleet";
import type { SentinelConfig, SentinelHealth } from "@levelset/fleet/server";
import { version } from "../process/index.ts";
import type { FleetWorld } from "./start-api.ts";

/** Running Sentinels with their endpoints. */
export interface RunningSentinels extends AsyncDisposable {
  readonly healthUrl: string;
  readonly metricsUrl: string;
  /** Rejects if a Sentinel fails fatally. */
  readonly ended: Promise<unknown>;
}

/** Dependencies of Sentinels. The store is required for the source `store`. */
export interface SentinelParts {
  readonly config: FleetConfig;
  readonly sentinels: readonly SentinelConfig[];
  readonly store: FleetStore | undefined;
  readonly broker: Broker;
}

/** Starts Sentinels; the caller closes store and broker. Throws an InputError for invalid rules or a port in use. */
export async function startSentinels(parts: SentinelParts, world: FleetWorld): Promise<RunningSentinels> {
  const metrics = new SentinelMetrics();
  const all = makeSentinels(parts, metrics, world);
  const { health: healthAt, metrics: metricsAt } = parts.config.sentinel;
  const endpoints = await serveSentinels({ health: healthAt, metrics: metricsAt }, all, metrics);
  const stop = new AbortController();
  const ended = Promise.all(all.map((sentinel) => sentinel.run(stop.signal)));
  ended.catch(() => {}); // the caller observes the rejection through `ended`
  return {
    healthUrl: endpoints.healthUrl,
    metricsUrl: endpoints.metricsUrl,
    ended,
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await Promise.allSettled([ended]);
      await endpoints.close();
    },
  };
}

type AnySentinel = SentinelHealth & { run(signal: AbortSignal): Promise<void> };

function makeSentinels(
  parts: SentinelParts,
  metrics: SentinelMetrics,
  { clock, logger }: FleetWorld,
): readonly AnySentinel[] {
  const { config, sentinels, store, broker } = parts;
  const tracer = sentinels.some(({ tracing }) => tracing) ? { tracer: sentinelTracer(realRandom) } : {};
  const shared = { broker, clock, random: realRandom, logger, metrics, ...tracer };
  if (store !== undefined) {
    return [new Sentinel({ ...shared, store, kinds: config.kinds, rules: sentinels.map(({ rule }) => rule) })];
  }
  return sentinels.map(({ api, rule, name }) => {
    if (api === undefined) throw new InputError("a Sentinel with --source http needs the URL of the API");
    const { baseUrl, version: apiVersion, timeoutMs, pageSize, token } = api;
    const source = new ApiSource({
      fetch: (request) => globalThis.fetch(request),
      baseUrl,
      version: apiVersion,
      timeoutMs,
      pageSize,
      resourceType: rule.resourceType,
      search: selectorSearch(rule.selector),
      token: token === undefined ? undefined : new TokenFile({ ...token, clock }),
      userAgent: `hyperfleet-sentinel/${version()} (${name})`,
      clock,
      random: realRandom,
    });
    return new PollingSentinel({ ...shared, source, rule });
  });
}
