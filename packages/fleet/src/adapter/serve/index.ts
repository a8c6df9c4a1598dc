/** From pulses to runs. Begin with `adapter-server.ts`. */

export { serveAdapter } from "./adapter-endpoints.ts";
export type { AdapterEndpointOptions } from "./adapter-endpoints.ts";
export { AdapterMetrics } from "./adapter-metrics.ts";
export type { RunStatus } from "./adapter-metrics.ts";
export { AdapterServer } from "./adapter-server.ts";
export type { AdapterServerOptions, Work } from "./adapter-server.ts";
export { readPulse } from "./pulse.ts";
export type { Pulse } from "./pulse.ts";
export { taskWork } from "./task-work.ts";
export type { TaskWorkOptions } from "./task-work.ts";
