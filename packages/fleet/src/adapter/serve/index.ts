/** Handling of pulses with runs. Begin with `adapter-server.ts`. */

export { serveAdapter } from "./adapter-endpoints.ts";
export type { AdapterEndpointOptions } from "./adapter-endpoints.ts";
export { AdapterMetrics } from "./adapter-metrics.ts";
export type { RunStatus } from "./adapter-metrics.ts";
export { AdapterServer } from "./adapter-server.ts";
export type { AdapterServerOptions, PulseHandler } from "./adapter-server.ts";
export { parsePulse } from "./pulse.ts";
export type { Pulse } from "./pulse.ts";
export { taskHandler } from "./task-handler.ts";
export type { TaskHandlerOptions } from "./task-handler.ts";
