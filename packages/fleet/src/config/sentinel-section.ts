import { resolve } from "node:path";
import type { FleetKinds } from "../resource/index.ts";
import { readSentinelConfig } from "../sentinel/index.ts";
import type { SentinelConfig, SentinelSource } from "../sentinel/index.ts";
import { readListen } from "./listen-section.ts";
import type { ListenConfig } from "./listen-section.ts";
import type { Section } from "./section.ts";

/** How Sentinels are run. */
export interface SentinelsConfig {
  readonly source: SentinelSource;
  readonly health: ListenConfig;
  readonly metrics: ListenConfig;
  /** The originals' files, one for each Sentinel. */
  readonly files: readonly string[];
  /** The same, in this file. */
  readonly rules: readonly unknown[];
}

/** Reads `sentinel`. `own` is the configuration file if it is one of the originals' itself. */
export function readSentinels(sentinel: Section, own: string | undefined): SentinelsConfig {
  const source = sentinel.choice("source", ["store", "http"], {
    default: "store",
    about: "store: what is due, told by the store itself; http: by polling an API",
  });
  const files = sentinel.texts("files", { about: "files of the originals' Sentinel, used as they are" });
  const rules = sentinel.data(
    "rules",
    "what to pulse, each as such a file; every kind with required adapters if nothing is given",
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

/** What the Sentinels are made from. */
export interface SentinelInput {
  readonly config: SentinelsConfig;
  readonly kinds: FleetKinds;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Flags of the originals' Sentinel, by name. */
  readonly flags: Readonly<Record<string, string | undefined>>;
  /** Reads a file of the originals. */
  readonly readFile: (path: string) => unknown;
}

/**
 * The Sentinels of a configuration, their expressions compiled. Variables and flags of the originals are about a Sentinel that is alone.
 * Throws an InputError that names every problem of the first one that has any.
 */
export function sentinelsOf({ config, kinds, env, flags, readFile }: SentinelInput): readonly SentinelConfig[] {
  const given = [...config.files.map((path) => readFile(path)), ...config.rules];
  const isNamed = (flags["resource-type"] ?? env["HYPERFLEET_RESOURCE_TYPE"] ?? "") !== "";
  const declared = given.length === 0 && isNamed ? [{}] : given;
  const all = declared.length === 0 ? kinds.all.filter(({ requiredAdapters }) => requiredAdapters.length > 0) : [];
  const files = declared.length === 0 ? all.map(({ plural }) => ({ resource_type: plural })) : declared;
  const outside = declared.length === 1 ? { env, flags } : { env: {}, flags: {} };
  return files.map((file) => readSentinelConfig({ file, ...outside, source: config.source }));
}
