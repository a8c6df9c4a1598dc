import type { Clock, Logger, Random } from "@levelset/core";
import type { ListenAddress } from "@levelset/core/http";
import type { FleetKinds } from "../resource/index.ts";
import { Fleet } from "../service/index.ts";
import type { FleetStore } from "../store/index.ts";
import type { AuthConfig } from "./auth/auth-config.ts";
import { CallerAuthenticator } from "./auth/caller-authenticator.ts";
import type { LimitsConfig } from "./limits/limits-config.ts";
import { RequestLimiter } from "./limits/request-limiter.ts";
import { ApiMetrics } from "./metrics/api-metrics.ts";
import { openApiRoutes } from "./openapi/open-api-routes.ts";
import { FleetApi } from "./fleet-api.ts";
import { requestTracer } from "./tracing/request-tracer.ts";
import { tracedStore } from "./tracing/traced-store.ts";
import { FeedWatcher } from "./watch/feed-watcher.ts";

/** Options of {@link createFleetApi}. */
export interface CreateFleetApiOptions extends ListenAddress {
  readonly store: FleetStore;
  readonly kinds: FleetKinds;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly version: string;
  readonly buildTime?: string;
  readonly auth?: AuthConfig;
  readonly limits?: LimitsConfig;
  /** The address of /healthz and /readyz. */
  readonly health?: ListenAddress;
  /** The address of /metrics. */
  readonly metrics?: ListenAddress;
  /** Whether to create OpenTelemetry spans for requests and the store calls they wait for. */
  readonly isTraced?: boolean;
}

/**
 * Creates a complete API: fleet service, authentication, limits, watches, OpenAPI document, metrics and traces. Does
 * not listen yet.
 */
export function createFleetApi(options: CreateFleetApiOptions): FleetApi {
  const { store, kinds, clock, random, logger, version, auth = {}, limits = {}, isTraced = false, ...rest } = options;
  const world = { clock, random, logger };
  const fleet = new Fleet({ store: isTraced ? tracedStore(store) : store, kinds, ...world });
  const limiter = new RequestLimiter(limits, world);
  const { watchersMax, bodyBytesMax, requestTimeoutMs } = limits;
  const watcher = new FeedWatcher({ store, ...world, ...(watchersMax === undefined ? {} : { watchersMax }) });
  const inFlight = (): number => limiter.inFlight;
  const observer = new ApiMetrics({ version, store, inFlight, watchers: () => watcher.watchers, clock, logger });
  const { basePath } = fleet;
  const hasTokens = auth.jwt !== undefined;
  return new FleetApi({
    ...rest,
    ...world,
    fleet,
    store,
    kinds,
    version,
    limits: {
      ...(bodyBytesMax === undefined ? {} : { bodyBytesMax }),
      ...(requestTimeoutMs === undefined ? {} : { requestTimeoutMs }),
    },
    limiter,
    watcher,
    observer,
    authenticator: new CallerAuthenticator(auth, world),
    ...(isTraced ? { tracer: requestTracer() } : {}),
    moreRoutes: (routes) => openApiRoutes(routes, { version, hasTokens, basePath }),
  });
}
