import type { Clock, Logger, Random } from "@levelset/core";
import type { PortAddress } from "@levelset/operator/port";
import type { FleetKinds } from "../resource/index.ts";
import { Fleet } from "../service/index.ts";
import type { FleetStore } from "../store/index.ts";
import type { AuthConfig } from "./auth/auth-config.ts";
import { CallerAuthenticator } from "./auth/caller-authenticator.ts";
import type { LimitsConfig } from "./limits/limits-config.ts";
import { RequestLimiter } from "./limits/request-limiter.ts";
import { ApiMetrics } from "./metrics/api-metrics.ts";
import { openApiRoutes } from "./openapi/open-api-routes.ts";
import { FleetApi } from "./server.ts";
import { requestTracer } from "./tracing/request-tracer.ts";
import { tracedStore } from "./tracing/traced-store.ts";
import { FeedWatcher } from "./watch/feed-watcher.ts";

/** What an API is told. */
export interface AssembledApiOptions extends PortAddress {
  readonly store: FleetStore;
  readonly kinds: FleetKinds;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly version: string;
  readonly buildTime?: string;
  readonly auth?: AuthConfig;
  readonly limits?: LimitsConfig;
  /** Where /healthz and /readyz are served. */
  readonly health?: PortAddress;
  /** Where /metrics is served. */
  readonly metrics?: PortAddress;
  /** Whether requests and the statements they wait for are spans of OpenTelemetry. */
  readonly isTraced?: boolean;
}

/** A whole API as it is told to be: the fleet, who may use it and how much, watches, documents, figures and traces. It does not listen yet. */
export function assembledApi(options: AssembledApiOptions): FleetApi {
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
