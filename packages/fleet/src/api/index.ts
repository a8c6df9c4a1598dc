/** The HTTP API of a fleet. Begin with `fleet-api.ts`. */

export { createFleetApi } from "./create-fleet-api.ts";
export type { CreateFleetApiOptions } from "./create-fleet-api.ts";
export type { Authenticator } from "./authenticator.ts";
export { API_LIMITS } from "./request-dispatcher.ts";
export type { ApiLimits } from "./request-dispatcher.ts";
export type { Limiter } from "./limiter.ts";
export type { ObservedRequest, Observer, RequestTracer } from "./observer.ts";
export { HttpProblem, PROBLEMS, toHttpProblem } from "./http-problem.ts";
export type { ProblemCode, ProblemType, ProblemOptions, ProblemContext } from "./http-problem.ts";
export { jsonResponse } from "./route.ts";
export type {
  Permission,
  HandlerResponse,
  HandlerResponseBody,
  ResponseSchema,
  RequestContext,
  HeaderParameter,
  Method,
  QueryParameter,
  RequestHeaders,
  Route,
  NamedSchema,
} from "./route.ts";
export { FleetApi } from "./fleet-api.ts";
export type { FleetApiAddresses, FleetApiOptions } from "./fleet-api.ts";
export type { Watcher, WatchQuery } from "./watcher.ts";
export type { AdapterBinding, AuthConfig, IssuerConfig, JwtConfig, KeysConfig } from "./auth/auth-config.ts";
export { CallerAuthenticator } from "./auth/caller-authenticator.ts";
export type { TenantConfig, TenantDimension } from "./auth/tenant-config.ts";
export type { LimitsConfig, Rate } from "./limits/limits-config.ts";
export { RequestLimiter } from "./limits/request-limiter.ts";
export { Maintenance } from "./maintenance/maintenance.ts";
export type { MaintenanceOptions } from "./maintenance/maintenance.ts";
export type { RetentionConfig } from "./maintenance/retention-config.ts";
export { ApiMetrics } from "./metrics/api-metrics.ts";
export type { ApiMetricSources } from "./metrics/api-metrics.ts";
export { openApiDocument } from "./openapi/openapi-document.ts";
export type { OpenApiDocumentOptions } from "./openapi/openapi-document.ts";
export { openApiRoutes } from "./openapi/open-api-routes.ts";
export { requestTracer } from "./tracing/request-tracer.ts";
export { tracedStore } from "./tracing/traced-store.ts";
export { FeedWatcher } from "./watch/feed-watcher.ts";
export type { FeedWatcherOptions } from "./watch/feed-watcher.ts";
