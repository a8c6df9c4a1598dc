/** Settings of a fleet from files, environment variables and flags. Begin with `section.ts`. */

export { readAdapterConfig } from "./adapter-config.ts";
export type { AdapterApiConfig, AdapterConfig, AdapterConfigRequest } from "./adapter-config.ts";
export type { ApiConfig } from "./api-section.ts";
export { configText } from "./config-text.ts";
export type { ConfigSources, FlagValue } from "./config-sources.ts";
export { readFleetConfig, readSentinelRules } from "./fleet-config.ts";
export type { ConfigRequest, FleetConfig } from "./fleet-config.ts";
export type { LogConfig } from "./log-section.ts";
export type { ListenConfig } from "./listen-section.ts";
export { suggestName } from "./suggest-name.ts";
export { describeSettingSource } from "./setting-source.ts";
export type { ResolvedSetting, SettingSource } from "./setting-source.ts";
export type { SentinelsConfig } from "./sentinel-section.ts";
