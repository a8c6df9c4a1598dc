/** A fleet in a process of your own: API, store, broker and Sentinel. */

export { createFleetApi, FleetApi } from "./api/index.ts";
export type { CreateFleetApiOptions, FleetApiAddresses } from "./api/index.ts";
export { openBroker } from "./broker/index.ts";
export type { Broker, BrokerConfig } from "./broker/index.ts";
export { readFleetConfig, readSentinelRules } from "./config/index.ts";
export type { ConfigRequest, ConfigSources, FleetConfig } from "./config/index.ts";
export { DEFAULT_ENTITIES, readKinds } from "./resource/index.ts";
export type { FleetKind, FleetKinds } from "./resource/index.ts";
export { Sentinel, serveSentinels } from "./sentinel/index.ts";
export type { PulseRule, SentinelOptions } from "./sentinel/index.ts";
export { migrateStore, openStore } from "./store/index.ts";
export type { FleetStore, MigrationResult, StoreConfig } from "./store/index.ts";
