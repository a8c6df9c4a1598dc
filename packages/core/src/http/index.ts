/**
 * The HTTP server of all packages, for Node only: a handler from request to response, its listener, limits, event
 * streams and the endpoints of a process. Begin with `listen-http.ts`.
 */

export { httpResponse, requestUrl, toFetch } from "./http-handler.ts";
export type { HttpBody, HttpHandler, HttpRequest, HttpResponse } from "./http-handler.ts";
export { listenHttp } from "./listen-http.ts";
export type { HttpListener, HttpListenerOptions, ListenAddress, TlsOptions } from "./listen-http.ts";
export type { HttpLimits } from "./http-limits.ts";
export type { ClientErrorKind, ClientErrorResponder } from "./client-error.ts";
export type { Compression } from "./send-response.ts";
export { acceptsGzip } from "./gzip.ts";
export { BodyTooLargeError, readBody } from "./read-body.ts";
export { EventStream, formatEvent } from "./event-stream.ts";
export type { EventStreamOptions, ServerSentEvent } from "./event-stream.ts";
export { healthHandler, healthResponse, metricsHandler, openProcessEndpoints } from "./process-endpoints.ts";
export type { EndpointHandler, MetricsSource, ProcessEndpointOptions, ProcessEndpoints } from "./process-endpoints.ts";
export { isSameSecret } from "./secret.ts";
