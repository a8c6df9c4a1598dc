import { InputError, isJsonObject } from "@levelset/core";
import type { JsonObject, JsonValue } from "@levelset/core";
import { ExpressionCompiler, filesBelow, parseYaml, readTask, variablesIn } from "../adapter/index.ts";
import type { AdapterTask, Backoff } from "../adapter/index.ts";
import type { BrokerConfig } from "../broker/index.ts";
import { readBrokerFile } from "./broker-file.ts";
import { readBroker } from "./broker-section.ts";
import { readConfigFile } from "./config-file.ts";
import { ConfigReader } from "./config-reader.ts";
import type { ConfigSources } from "./config-sources.ts";
import { readListen } from "./listen-section.ts";
import type { ListenConfig } from "./listen-section.ts";
import { readLog } from "./log-section.ts";
import type { LogConfig } from "./log-section.ts";
import type { FoundSetting } from "./origin.ts";
import { Section } from "./section.ts";

/** How an adapter of YAML is run: its AdapterConfig and its AdapterTaskConfig, checked. */
export interface AdapterConfig {
  readonly adapter: { readonly name: string; readonly version: string };
  readonly api: AdapterApiConfig;
  readonly broker: BrokerConfig;
  readonly topic: string;
  readonly subscription: string;
  /** The file with the credentials of the cluster; undefined: those of the pod, or the usual ones. */
  readonly kubeconfig: string | undefined;
  readonly task: AdapterTask;
  /** The variables that the task names, as far as they are there. */
  readonly env: Readonly<Record<string, string>>;
  /** The configuration as tasks may see it: `config.adapter.name`. Nothing secret is in it. */
  readonly shown: JsonObject;
  readonly log: LogConfig;
  /** Whether the settings are logged at the start. */
  readonly debugConfig: boolean;
  readonly health: ListenConfig;
  readonly metrics: ListenConfig;
  readonly settings: readonly FoundSetting[];
  readonly notes: readonly string[];
}

/** How the fleet's API is asked. */
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

/** What it is read from. */
export interface AdapterConfigRequest extends Omit<ConfigSources, "file"> {
  readonly path: string;
  readonly taskPath: string;
  /** For the times in expressions. */
  readonly now: () => number;
}

/** Reads the configuration of an adapter. Throws an InputError or an InvalidTask that names everything that is wrong. */
export function readAdapterConfig(request: AdapterConfigRequest): AdapterConfig {
  const file = readConfigFile(request.path, request);
  const sources: ConfigSources = { ...request, file };
  const reader = new ConfigReader(sources);
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
      notes.push(...imported.notes);
      return imported.config;
    }),
    log: readLog(root.section("log")),
    debugConfig:
      root.flag("debug_config", { default: false, about: "log the settings in effect at the start" }) ?? false,
    health: readListen(root.section("health"), { port: 8_082, what: "the adapter's /healthz, /readyz and /config" }),
    metrics: readListen(root.section("metrics"), { port: 9_092, what: "the adapter's /metrics" }),
  };
  if (clients.data("maestro", "Maestro; its client must be given by a program") !== undefined) {
    notes.push(`${request.path}: clients.maestro has no effect here: a client of Maestro is given by a program`);
  }
  reader.finish();
  const { task, env } = readTaskFile(request);
  return { ...found, task, env, shown: shownConfig(file.settings), settings: reader.found, notes };
}

function readIdentity(section: Section): AdapterConfig["adapter"] {
  const name = section.required("name", "how the adapter is called in reports");
  return { name, version: section.text("version", { default: "0.0.0", about: "its version" }) ?? "" };
}

function readSubscription(section: Section): Pick<AdapterConfig, "topic" | "subscription"> {
  return {
    subscription: section.required(
      "subscription_id",
      "under which name pulses are kept for it; several processes share them",
    ),
    topic: section.required("topic", "where pulses are published"),
  };
}

function readKubernetes(section: Section): string | undefined {
  section.text("api_version", { about: "has no effect: each manifest says its own" });
  section.positive("qps", { about: "has no effect: the server says when it is too much" });
  section.positive("burst", { about: "has no effect: the server says when it is too much" });
  return section.path("kube_config_path", { about: "the credentials of the cluster; those of the pod if not given" });
}

function readApi(section: Section): AdapterApiConfig {
  const auth = section.section("auth");
  const headers = section.data("default_headers", "headers of every request to the API");
  return {
    baseUrl:
      section.address("base_url", { default: "http://127.0.0.1:8000", about: "scheme, host and port of the API" }) ??
      "",
    version: section.text("version", { default: "v1", about: "the version of the API in paths" }) ?? "",
    timeoutMs: section.duration("timeout", { default: 10_000, about: "how long one try of a request may take" }) ?? 0,
    attemptsMax:
      section.integer("retry_attempts", {
        min: 0,
        max: 100,
        default: 3,
        about: "how often a request is sent at most",
      }) ?? 1,
    backoff:
      section.choice("retry_backoff", ["exponential", "linear", "constant"], {
        default: "exponential",
        about: "how the delay between tries grows",
      }) ?? "exponential",
    baseDelayMs: section.duration("base_delay", { default: 1_000, about: "the first delay between tries" }) ?? 0,
    maxDelayMs: section.duration("max_delay", { default: 30_000, about: "the longest delay between tries" }) ?? 0,
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
  if (!isMap) section.missing("default_headers", "must be a mapping of texts");
  return isMap ? (value as Readonly<Record<string, string>>) : {};
}

/** The task, and the variables that it names. One that is needed and not there is told now, not at the first pulse. */
function readTaskFile(request: AdapterConfigRequest): Pick<AdapterConfig, "task" | "env"> {
  const { settings, directory } = readConfigFile(request.taskPath, request);
  const task = readTask({
    file: request.taskPath,
    content: settings,
    files: filesBelow(directory, request.readText),
    parseYaml,
    compiler: new ExpressionCompiler(request.now),
  });
  const missing = task.params.flatMap(({ source, isRequired, defaultValue }) => {
    const isMissing =
      source.kind === "env" && isRequired && defaultValue === undefined && !request.env[source.variable];
    return isMissing ? [source.variable] : [];
  });
  if (missing.length > 0)
    throw new InputError(`${request.taskPath}: variables that it needs are not set: ${missing.join(", ")}`);
  return { task, env: visible(settings, request) };
}

/** Only what the configuration names can be seen by it. */
function visible(content: JsonValue, { env }: AdapterConfigRequest): Readonly<Record<string, string>> {
  return Object.fromEntries(
    variablesIn(content).flatMap((name) => {
      const value = env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** What is in the file, but for what could be a secret. */
function shownConfig({ adapter = {}, log = {}, clients }: JsonObject): JsonObject {
  const { hyperfleet_api: api, broker } = isJsonObject(clients) ? clients : {};
  const { auth: _auth, default_headers: _headers, ...rest } = isJsonObject(api) ? api : {};
  return { adapter, log, clients: { hyperfleet_api: rest, broker: broker ?? {} } };
}
