/** Runs the parts of a fleet: API, Sentinels and adapters. Begin with `run-dev.ts`. */

export { startDevFleet } from "./dev-fleet.ts";
export { adaptersText, fleetSuggestions } from "./fleet-suggestions.ts";
export { printResources } from "./print-resources.ts";
export { runAdapter } from "./run-adapter.ts";
export type { AdapterFlags } from "./run-adapter.ts";
export { runAdapters } from "./run-adapters.ts";
export type { AdaptersFlags } from "./run-adapters.ts";
export { runDev } from "./run-dev.ts";
export type { RunDevOptions } from "./run-dev.ts";
export { printConfig, runApi, runMigrate, runSentinel } from "./run-fleet.ts";
