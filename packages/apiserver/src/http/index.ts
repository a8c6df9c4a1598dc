/** The API as a function from a request to a response. Begin with `api-handler.ts`. */

export { createApiHandler } from "./api-handler.ts";
export type { ApiHandlerOptions } from "./api-handler.ts";
export { ApiResponse, statusErrorResponse } from "./api-response.ts";
export type { ApiRequest, ApiHandler } from "./request/api-request.ts";
export { ApiServerMetrics } from "./metrics/metrics.ts";
