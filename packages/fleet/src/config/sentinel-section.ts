import { resolve } from "node:path";
import type { FleetKinds } from "../resource/index.ts";
import { readSentinelConfig } from "../sentinel/index.ts";
import type { SentinelConfig, SentinelSource } from "../sentinel/index.ts";
import { readListen } from "./listen-section.ts";
import type { ListenConfig } from "./listen-section.ts";
import type { Section } from "./section.ts";

/** Settings of the Sentinels. */
export interface SentinelsConfig {
  readonly source: SentinelSource;
  readonly health: ListenConfig;
  readonly metrics: ListenConfig;
  /** HyperFleet Sentinel files, one for each Sentinel. */
  readonly files: readonly string[];
  /** The same, inline in this file. */
  readonly rules: readonly unknown[];
}

/** Reads `sentinel`. `own` is the configuration file if it is a HyperFleet Sentinel file itself. */
export function readSentinels(sentinel: Section, own: string | undefined): SentinelsConfig {
  const source = sentinel.choice("source", ["store", "http"], {
    default: "store",
    about: "store: due work from the store; http: by polling an API",
  });
  const files = sentinel.texts("files", { about: "HyperFleet Sentinel configuration files" });
  const rules = sentinel.data(
    "rules",
    "inline Sentinel configurations; if not set, one for each kind with required adapters",
  );
  if (rules !== undefined && !Array.isArray(rules)) sentinel.missing("rules", "must be a list");
  return {
    source: source ?? "store",
    health: readListen(sentinel.section("health"), { port: 8_081, what: "the Sentinel's /healthz and /readyz" }),
    metrics: readListen(sentinel.section("metrics"), { port: 9_091, what: "the Sentinel's /metrics" }),
    files: [
      ...(own === undefined ? [] : [own]),
      ...(files ?? []).map((file) => resolve(sentinel.directory("files"), file)),
    ],
    rules: Array.isArray(rules) ? rules : [],
  };
}

/** The sources of the Sentinels. */
export interface SentinelInput {
  readonly config: SentinelsConfig;
  readonly kinds: FleetKinds;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Flags of the HyperFleet Sentinel, by name. */
  readonly flags: Readonly<Record<string, string | undefined>>;
  /** Reads a HyperFleet Sentinel file. */
  readonly readFile: (path: string) => unknown;
}

/**
 * Returns the Sentinels of a configuration with compiled expressions. HyperFleet variables and flags apply to a
 * single Sentinel only. Throws an `InputError` that lists all problems of the first invalid one.
 */
export function buildSentinelConfigs({
  config,
  kinds,
  env,
  flags,
  readFile,
}: SentinelInput): readonly SentinelConfig[] {
  const configs = [...config.files.map((path) => readFile(path)), ...config.rules];
  const isNamed = (flags["resource-type"] ?? env["HYPERFLEET_RESOURCE_TYPE"] ?? "") !== "";
  const declared = configs.length === 0 && isNamed ? [{}] : configs;
  const all = declared.length === 0 ? kinds.all.filter(({ requiredAdapters }) => requiredAdapters.length > 0) : [];
  const files = declared.length === 0 ? all.map(({ plural }) => ({ resource_type: plural })) : declared;
  const outside = declared.length === 1 ? { env, flags } : { env: {}, flags: {} };
  return files.map((file) => readSentinelConfig({ file, ...outside, source: config.source }));
}
