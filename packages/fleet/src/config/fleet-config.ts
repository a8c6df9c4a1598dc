/**
 * The configuration of a fleet: one file for the API, the Sentinel, the store and the broker. Variables and flags
 * override it.
 *
 * Each setting is declared once by its path, in the file of its section; `SettingsReader` resolves its value and
 * records the source. Unknown settings are refused with a suggestion. Secrets come from variables or from separate
 * files.
 */
import { InputError, isJsonObject } from "@levelset/core";
import type { BrokerConfig } from "../broker/index.ts";
import { DEFAULT_ENTITIES, readKinds } from "../resource/index.ts";
import type { FleetKinds, SchemaComponents } from "../resource/index.ts";
import type { SentinelConfig } from "../sentinel/index.ts";
import type { StoreConfig } from "../store/index.ts";
import { readApi } from "./api-section.ts";
import type { ApiConfig } from "./api-section.ts";
import { readBrokerFile } from "./broker-file.ts";
import { readBroker } from "./broker-section.ts";
import { readConfigFile } from "./config-file.ts";
import { SettingsReader } from "./settings-reader.ts";
import { ENV_PREFIX } from "./config-sources.ts";
import type { ConfigSources } from "./config-sources.ts";
import { readLog } from "./log-section.ts";
import type { LogConfig } from "./log-section.ts";
import type { ResolvedSetting } from "./setting-source.ts";
import { Section } from "./section.ts";
import { readSentinels, buildSentinelConfigs } from "./sentinel-section.ts";
import type { SentinelsConfig } from "./sentinel-section.ts";
import { readStore } from "./store-section.ts";

/** The configuration of a fleet. */
export interface FleetConfig {
  readonly api: ApiConfig;
  readonly store: StoreConfig;
  readonly broker: BrokerConfig;
  readonly sentinel: SentinelsConfig;
  readonly kinds: FleetKinds;
  readonly log: LogConfig;
  /** The configuration file, if any. */
  readonly file: string | undefined;
  /** All settings with the source of each value. */
  readonly settings: readonly ResolvedSetting[];
  /** Notes about a valid configuration. */
  readonly warnings: readonly string[];
}

/** The sources of a configuration. `path` names the file; otherwise a variable may. */
export interface ConfigRequest extends Omit<ConfigSources, "file"> {
  readonly path?: string | undefined;
}

/**
 * Returns the Sentinels of a configuration with compiled expressions. HyperFleet variables and flags apply to a
 * single Sentinel only. Throws an `InputError` that lists all problems of the first invalid one.
 */
export function readSentinelRules(
  config: FleetConfig,
  request: ConfigRequest,
  flags: Readonly<Record<string, string | undefined>> = {},
): readonly SentinelConfig[] {
  const readFile = (path: string): unknown => readConfigFile(path, request).settings;
  return buildSentinelConfigs({ config: config.sentinel, kinds: config.kinds, env: request.env, flags, readFile });
}

/** Variables that name the file. */
const FILE_VARIABLES: readonly string[] = [`${ENV_PREFIX}CONFIG`, "HYPERFLEET_CONFIG"];

/** Reads the configuration of a fleet. Throws an `InputError` that lists all problems. */
export function readFleetConfig(request: ConfigRequest): FleetConfig {
  const { env } = request;
  const path = request.path ?? FILE_VARIABLES.map((name) => env[name]).find((value) => (value ?? "") !== "");
  const named = path === undefined ? undefined : readConfigFile(path, request);
  // The HyperFleet Sentinel has its own file format, and no other file.
  const isSentinels = named?.settings["resource_type"] !== undefined;
  const file = isSentinels ? undefined : named;
  const sources: ConfigSources = { ...request, file };
  const reader = new SettingsReader(sources);
  const root = new Section(reader, "", file?.settings ?? {}, true);
  const notes: string[] = [];
  const importedBroker = (brokerPath: string): BrokerConfig => {
    const { config, warnings: found } = readBrokerFile(readConfigFile(brokerPath, request), sources);
    notes.push(...found);
    return config;
  };
  const api = readApi(root.section("api"));
  const store = readStore(root.section("store"));
  const broker = readBroker(root.section("broker"), importedBroker);
  const sentinel = readSentinels(root.section("sentinel"), isSentinels ? path : undefined);
  const log = readLog(root.section("log"));
  const entities = root.data("entities", "the kinds of resources; Cluster, NodePool and a few more by default");
  reader.throwProblems();
  const kinds = readKinds(entities ?? DEFAULT_ENTITIES, schemasOf(api.schemaFile, request));
  return { api, store, broker, sentinel, kinds, log, file: path, settings: reader.settings, warnings: notes };
}

/** Returns the schemas of an OpenAPI document. */
function schemasOf(path: string | undefined, request: ConfigRequest): SchemaComponents | undefined {
  if (path === undefined) return undefined;
  const { components } = readConfigFile(path, request).settings;
  const schemas = isJsonObject(components) ? components["schemas"] : undefined;
  if (!isJsonObject(schemas)) throw new InputError(`${path}: has no components.schemas`);
  return schemas;
}
