/** The fleet over HTTP. Begin with `server.ts`. */

export { assembledApi } from "./assembled-api.ts";
export type { AssembledApiOptions } from "./assembled-api.ts";
export type { Authenticator } from "./authenticator.ts";
export { API_LIMITS } from "./dispatcher.ts";
export type { ApiLimits } from "./dispatcher.ts";
export type { Limiter } from "./limiter.ts";
export type { ObservedRequest, Observer, RequestTracer } from "./observer.ts";
export { Problem, PROBLEMS, problemOf } from "./problem.ts";
export type { ProblemCode, ProblemKind, ProblemOptions, ProblemPlace } from "./problem.ts";
export { jsonAnswer } from "./route.ts";
export type {
  Access,
  Answer,
  AnswerBody,
  AnswerShape,
  Exchange,
  HeaderParameter,
  Method,
  QueryParameter,
  RequestHeaders,
  Route,
  Shape,
} from "./route.ts";
export { FleetApi } from "./server.ts";
export type { FleetApiAddresses, FleetApiOptions } from "./server.ts";
export type { Watcher, WatchRequest } from "./watcher.ts";
export type { AdapterBinding, AuthConfig, IssuerConfig, JwtConfig, KeysConfig } from "./auth/auth-config.ts";
export { CallerAuthenticator } from "./auth/caller-authenticator.ts";
export type { TenantConfig, TenantDimension } from "./auth/tenant-config.ts";
export type { LimitsConfig, Rate } from "./limits/limits-config.ts";
export { RequestLimiter } from "./limits/request-limiter.ts";
export { Maintenance } from "./maintenance/maintenance.ts";
export type { MaintenanceOptions } from "./maintenance/maintenance.ts";
export type { RetentionConfig } from "./maintenance/retention-config.ts";
export { ApiMetrics } from "./metrics/api-metrics.ts";
export type { MetricSources } from "./metrics/api-metrics.ts";
export { openApiDocument } from "./openapi/document.ts";
export type { DocumentOptions } from "./openapi/document.ts";
export { openApiRoutes } from "./openapi/open-api-routes.ts";
export { requestTracer } from "./tracing/request-tracer.ts";
export { tracedStore } from "./tracing/traced-store.ts";
export { FeedWatcher } from "./watch/feed-watcher.ts";
export type { FeedWatcherOptions } from "./watch/feed-watcher.ts";
export { healthPage, openEndpoints } from "./endpoints.ts";
export type { EndpointOptions, Endpoints, Page } from "./endpoints.ts";
