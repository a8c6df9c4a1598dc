export { startDevFleet } from "./dev-fleet.ts";
export type { DevFleet, DevFleetOptions } from "./dev-fleet.ts";
export { printResources } from "./live-resources.ts";
export { runAdapter } from "./run-adapter.ts";
export type { AdapterFlags } from "./run-adapter.ts";
export { runDev } from "./run-dev.ts";
export { printConfig, runApi, runMigrate, runSentinel } from "./run-server.ts";
export type { SentinelFlags } from "./run-server.ts";
