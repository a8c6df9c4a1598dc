import { BACKOFFS } from "@levelset/core/internal";
import { InputError, isJsonObject } from "@levelset/core";
import type { JsonObject, JsonValue } from "@levelset/core";
import { ExpressionCompiler, taskFilesIn, parseYaml, readTask, envReferences } from "../adapter/index.ts";
import type { AdapterTask, Backoff } from "../adapter/index.ts";
import type { BrokerConfig } from "../broker/index.ts";
import { readBrokerFile } from "./broker-file.ts";
import { readBroker } from "./broker-section.ts";
import { readConfigFile } from "./config-file.ts";
import { SettingsReader } from "./settings-reader.ts";
import type { ConfigSources } from "./config-sources.ts";
import { readListen } from "./listen-section.ts";
import type { ListenConfig } from "./listen-section.ts";
import { readLog } from "./log-section.ts";
import type { LogConfig } from "./log-section.ts";
import type { ResolvedSetting } from "./setting-source.ts";
import { Section } from "./section.ts";

/** The validated configuration of a YAML adapter: its AdapterConfig and its AdapterTaskConfig. */
export interface AdapterConfig {
  readonly adapter: { readonly name: string; readonly version: string };
  readonly api: AdapterApiConfig;
  readonly broker: BrokerConfig;
  readonly topic: string;
  readonly subscription: string;
  /** The kubeconfig file; undefined: in-cluster credentials, or the default kubeconfig. */
  readonly kubeconfig: string | undefined;
  readonly task: AdapterTask;
  /** The variables that the task names, as far as they are set. */
  readonly env: Readonly<Record<string, string>>;
  /** The configuration as visible to tasks (`config.adapter.name`), without secrets. */
  readonly redactedConfig: JsonObject;
  readonly log: LogConfig;
  /** Whether to log the settings at startup. */
  readonly debugConfig: boolean;
  readonly health: ListenConfig;
  readonly metrics: ListenConfig;
  readonly settings: readonly ResolvedSetting[];
  readonly warnings: readonly string[];
}

/** Settings of the fleet API client. */
export interface AdapterApiConfig {
  readonly baseUrl: string;
  readonly version: string;
  readonly timeoutMs: number;
  readonly attemptsMax: number;
  readonly backoff: Backoff;
  readonly baseDelayMs: number;
  readonly maxDelayMs: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly tokenFile: string | undefined;
  readonly tokenTtlMs: number;
}

/** The sources of an adapter's configuration. */
export interface AdapterConfigRequest extends Omit<ConfigSources, "file"> {
  readonly path: string;
  readonly taskPath: string;
  /** The time in expressions. */
  readonly now: () => number;
}

/** Reads the configuration of an adapter. Throws an `InputError` or an `InvalidTask` that lists all problems. */
export function readAdapterConfig(request: AdapterConfigRequest): AdapterConfig {
  const file = readConfigFile(request.path, request);
  const sources: ConfigSources = { ...request, file };
  const reader = new SettingsReader(sources);
  const root = new Section(reader, "", file.settings, true);
  const notes: string[] = [];
  const clients = root.section("clients");
  const found = {
    adapter: readIdentity(root.section("adapter")),
    api: readApi(clients.section("hyperfleet_api")),
    ...readSubscription(clients.section("broker")),
    kubeconfig: readKubernetes(clients.section("kubernetes")),
    broker: readBroker(root.section("broker"), (path) => {
      const imported = readBrokerFile(readConfigFile(path, request), sources);
      notes.push(...imported.warnings);
      return imported.config;
    }),
    log: readLog(root.section("log")),
    debugConfig:
      root.boolean("debug_config", { default: false, about: "log the effective settings at startup" }) ?? false,
    health: readListen(root.section("health"), { port: 8_082, what: "the adapter's /healthz, /readyz and /config" }),
    metrics: readListen(root.section("metrics"), { port: 9_092, what: "the adapter's /metrics" }),
  };
  if (clients.data("maestro", "Maestro; a program must provide its client") !== undefined) {
    notes.push(`${request.path}: clients.maestro has no effect here: a program must provide the Maestro client`);
  }
  reader.throwProblems();
  const { task, env } = readTaskFile(request);
  return {
    ...found,
    task,
    env,
    redactedConfig: shownConfig(file.settings),
    settings: reader.settings,
    warnings: notes,
  };
}

function readIdentity(section: Section): AdapterConfig["adapter"] {
  const name = section.required("name", "the name of the adapter in reports");
  return { name, version: section.text("version", { default: "0.0.0", about: "its version" }) ?? "" };
}

function readSubscription(section: Section): Pick<AdapterConfig, "topic" | "subscription"> {
  return {
    subscription: section.required(
      "subscription_id",
      "the subscription for pulses, shared by all processes of this name",
    ),
    topic: section.required("topic", "the topic of pulses"),
  };
}

function readKubernetes(section: Section): string | undefined {
  section.text("api_version", { about: "has no effect: each manifest has its own" });
  section.positive("qps", { about: "has no effect: the server limits requests" });
  section.positive("burst", { about: "has no effect: the server limits requests" });
  return section.path("kube_config_path", { about: "the kubeconfig file; in-cluster credentials if not set" });
}

function readApi(section: Section): AdapterApiConfig {
  const auth = section.section("auth");
  const headers = section.data("default_headers", "headers of every request to the API");
  return {
    baseUrl:
      section.address("base_url", { default: "http://127.0.0.1:8000", about: "scheme, host and port of the API" }) ??
      "",
    version: section.text("version", { default: "v1", about: "the version of the API in paths" }) ?? "",
    timeoutMs: section.duration("timeout", { default: 10_000, about: "the timeout of one attempt" }) ?? 0,
    attemptsMax:
      section.integer("retry_attempts", {
        min: 0,
        max: 100,
        default: 3,
        about: "the maximum number of attempts",
      }) ?? 1,
    backoff:
      section.choice("retry_backoff", ["exponential", "linear", "constant"], {
        default: "exponential",
        about: "how the delay between attempts grows",
      }) ?? "exponential",
    baseDelayMs:
      section.duration("base_delay", {
        default: BACKOFFS.adapterCall.firstMs,
        about: "the first delay between attempts",
      }) ?? 0,
    maxDelayMs:
      section.duration("max_delay", {
        default: BACKOFFS.adapterCall.maxMs,
        about: "the maximum delay between attempts",
      }) ?? 0,
    headers: headersOf(section, headers),
    tokenFile: auth.path("token_path", { about: "a file with the bearer token, read again when it is old" }),
    tokenTtlMs:
      auth.duration("token_cache_ttl", {
        default: 60_000,
        about: "how long a token is used before the file is read again",
      }) ?? 0,
  };
}

function headersOf(section: Section, value: unknown): Readonly<Record<string, string>> {
  if (value === undefined) return {};
  const isMap = isJsonObject(value) && Object.values(value).every((one) => typeof one === "string");
  if (!isMap) section.missing("default_headers", "must be a mapping of strings");
  return isMap ? (value as Readonly<Record<string, string>>) : {};
}

/**
 * Reads the task and the variables that it names. A missing required variable is reported now, not at the first pulse.
 */
function readTaskFile(request: AdapterConfigRequest): Pick<AdapterConfig, "task" | "env"> {
  const { settings, directory } = readConfigFile(request.taskPath, request);
  const task = readTask({
    file: request.taskPath,
    content: settings,
    files: taskFilesIn(directory, request.readText),
    parseYaml,
    compiler: new ExpressionCompiler(request.now),
  });
  const missing = task.params.flatMap(({ source, isRequired, defaultValue }) => {
    const isMissing =
      source.kind === "env" && isRequired && defaultValue === undefined && !request.env[source.variable];
    return isMissing ? [source.variable] : [];
  });
  if (missing.length > 0)
    throw new InputError(`${request.taskPath}: required variables are not set: ${missing.join(", ")}`);
  return { task, env: visible(settings, request) };
}

/** Returns only the variables that the configuration names. */
function visible(content: JsonValue, { env }: AdapterConfigRequest): Readonly<Record<string, string>> {
  return Object.fromEntries(
    envReferences(content).flatMap((name) => {
      const value = env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Returns the content of the file without possible secrets. */
function shownConfig({ adapter = {}, log = {}, clients }: JsonObject): JsonObject {
  const { hyperfleet_api: api, broker } = isJsonObject(clients) ? clients : {};
  const { auth: _auth, default_headers: _headers, ...rest } = isJsonObject(api) ? api : {};
  return { adapter, log, clients: { hyperfleet_api: rest, broker: broker ?? {} } };
}
