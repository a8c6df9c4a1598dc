/** Runs the parts of a fleet: API, Sentinels and adapters. Begin with `dev-fleet.ts`. */

export { startDevFleet } from "./dev-fleet.ts";
export type { DevFleet, DevFleetOptions } from "./dev-fleet.ts";
export { adaptersText, fleetSuggestions } from "./fleet-suggestions.ts";
export { fleetWorld, migrateFleetStore, openFleetBroker, openFleetStore, requireSharedBroker } from "./open-fleet.ts";
export { printResources } from "./print-resources.ts";
export { readAdapterFiles } from "./read-adapter-files.ts";
export type { AdapterFileFlags } from "./read-adapter-files.ts";
export { configRequest, logSettings, readConfig } from "./read-config.ts";
export { startTaskAdapter } from "./start-adapter.ts";
export { startAdapters } from "./start-adapters.ts";
export { startApi } from "./start-api.ts";
export { startSentinels } from "./start-sentinels.ts";
