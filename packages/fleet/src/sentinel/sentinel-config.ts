import { InputError, isJsonObject } from "@levelset/core";
import type { LogLevel } from "@levelset/core";
import type { TextMap } from "../resource/index.ts";
import { ConfigReader } from "./config-reader.ts";
import type { ConfigSources } from "./config-reader.ts";
import { Decision } from "./decision.ts";
import { DEFAULT_DECISION } from "./decision-texts.ts";
import type { DecisionTexts } from "./decision-texts.ts";
import { DEFAULT_MESSAGE, MessageData } from "./message-data.ts";
import type { MessageTexts } from "./message-data.ts";
import type { PulseRule } from "./pulse-rule.ts";

/** Where a Sentinel learns what is due: from the fleet's own store, or by polling an API. */
export type SentinelSource = "store" | "http";

/** How an API is polled. */
export interface SentinelApiConfig {
  readonly baseUrl: string;
  readonly version: string;
  readonly timeoutMs: number;
  readonly pageSize: number;
  readonly token: { readonly path: string; readonly cacheMs: number } | undefined;
}

/** A Sentinel's configuration, checked, its expressions compiled. */
export interface SentinelConfig {
  readonly name: string;
  readonly rule: PulseRule;
  /** Undefined where no address is given, which only the store does without. */
  readonly api: SentinelApiConfig | undefined;
  /** What it says of the process's log; undefined where it says nothing. */
  readonly log: {
    readonly level: LogLevel | undefined;
    readonly format: "json" | "text" | undefined;
    readonly output: "stdout" | "stderr" | undefined;
  };
  /** Whether the configuration is logged at the start. */
  readonly debugConfig: boolean;
  readonly tracing: boolean;
}

/** Where a configuration comes from, and what it is for. */
export interface SentinelConfigInput extends ConfigSources {
  readonly source: SentinelSource;
}

const PAGE_SIZE_MAX = 500;
const LABEL_KEY = /^[A-Za-z0-9](?:[A-Za-z0-9._/-]*[A-Za-z0-9])?$/u;

/** Reads a Sentinel's configuration, as the public original has it. Throws an InputError that names every problem and how to set it right. */
export function readSentinelConfig(input: SentinelConfigInput): SentinelConfig {
  const reader = new ConfigReader(input);
  const resourceType = readResourceType(reader);
  const pollIntervalMs = reader.duration("poll_interval", 5_000);
  const selector = readSelector(reader);
  const decision = compiled(reader, () => new Decision(readDecision(reader)));
  const data = compiled(reader, () => new MessageData(readMessage(reader)));
  const topic = reader.text("clients.broker.topic", "") || `hyperfleet-${resourceType}`;
  const config = {
    name: reader.text("sentinel.name", "hyperfleet-sentinel"),
    api: readApi(reader, input.source),
    log: {
      level: reader.choice("log.level", ["debug", "info", "warn", "error"]),
      format: reader.choice("log.format", ["json", "text"]),
      output: reader.choice("log.output", ["stdout", "stderr"]),
    },
    debugConfig: reader.boolean("debug_config", false),
    tracing: reader.boolean("tracing_enabled", true),
  };
  if (config.name === "") reader.problem("sentinel.name", "must not be empty");
  reader.refuseUnknown();
  if (reader.problems.length > 0 || decision === undefined || data === undefined)
    throw new InputError(`the Sentinel's configuration: ${reader.problems.join("; ")}`);
  return { ...config, rule: { resourceType, selector, decision, data, topic, pollIntervalMs } };
}

function readResourceType(reader: ConfigReader): string {
  const type = reader.text("resource_type", "");
  if (type === "") reader.problem("resource_type", "is missing: the plural of a kind, such as clusters");
  else if (/[/?#%\\\s]/u.test(type) || type === "." || type === "..")
    reader.problem("resource_type", "must be one segment of a path, such as clusters");
  return type;
}

function readSelector(reader: ConfigReader): TextMap {
  const entries = reader.list("resource_selector").flatMap((entry, index): readonly (readonly [string, string])[] => {
    const place = `resource_selector[${index}]`;
    if (!isJsonObject(entry)) return reader.problem(place, "must have a label and a value");
    const unknown = Object.keys(entry).find((key) => key !== "label" && key !== "value");
    if (unknown !== undefined) return reader.problem(`${place}.${unknown}`, "is unknown; there are label and value");
    const { label, value } = entry;
    if (typeof label !== "string" || !LABEL_KEY.test(label))
      return reader.problem(`${place}.label`, "must be the key of a label");
    if (typeof value !== "string" || value === "") return reader.problem(`${place}.value`, "must be a text");
    return [[label, value]];
  });
  const twice = entries.find(([label], index) => entries.findIndex(([other]) => other === label) !== index);
  if (twice !== undefined) reader.problem("resource_selector", `the label ${twice[0]} is there twice`);
  return Object.fromEntries(entries);
}

function readDecision(reader: ConfigReader): DecisionTexts {
  const given = reader.value("message_decision");
  if (given === undefined) return DEFAULT_DECISION;
  if (!isJsonObject(given)) throw new InputError("message_decision: must have params and a result");
  const unknown = Object.keys(given).find((key) => key !== "params" && key !== "result");
  if (unknown !== undefined)
    throw new InputError(`message_decision.${unknown}: is unknown; there are params and result`);
  const { params = [], result = "" } = given;
  if (!Array.isArray(params)) throw new InputError("message_decision.params: must be a list");
  if (typeof result !== "string") throw new InputError("message_decision.result: must be an expression");
  return {
    result,
    params: params.map((param: unknown, index) => {
      const { name, expr, ...rest } = isJsonObject(param) ? param : {};
      if (typeof name !== "string" || typeof expr !== "string" || Object.keys(rest).length > 0)
        throw new InputError(`message_decision.params[${index}]: must have a name and an expr, and nothing else`);
      return { name, expr };
    }),
  };
}

function readMessage(reader: ConfigReader): MessageTexts {
  const given = reader.value("message_data");
  if (given === undefined) return DEFAULT_MESSAGE;
  if (!isJsonObject(given)) throw new InputError("message_data: must be an object of expressions");
  // MessageData itself refuses what is no expression, with its place.
  return given as MessageTexts;
}

function readApi(reader: ConfigReader, source: SentinelSource): SentinelApiConfig | undefined {
  const at = (key: string): string => `clients.hyperfleet_api.${key}`;
  const baseUrl = reader.text(at("base_url"), "");
  const version = reader.text(at("version"), "v1");
  const timeoutMs = reader.duration(at("timeout"), 10_000);
  const pageSize = reader.integer(at("page_size"), 20, { min: 1, max: PAGE_SIZE_MAX });
  const path = reader.text(at("auth.token_path"), "");
  const cacheMs = reader.duration(at("auth.token_cache_ttl"), 30_000);
  if (baseUrl === "" && source === "http") reader.problem(at("base_url"), "is missing");
  if (baseUrl !== "" && !isHttpUrl(baseUrl)) reader.problem(at("base_url"), "must be a URL with http or https");
  if (!/^v\d+$/u.test(version)) reader.problem(at("version"), "must be a version such as v1");
  if (path !== "" && !path.startsWith("/")) reader.problem(at("auth.token_path"), "must be an absolute path");
  if (baseUrl === "") return undefined;
  return { baseUrl, version, timeoutMs, pageSize, token: path === "" ? undefined : { path, cacheMs } };
}

function isHttpUrl(text: string): boolean {
  const url = URL.parse(text);
  return (
    url !== null && (url.protocol === "http:" || url.protocol === "https:") && url.search === "" && url.hash === ""
  );
}

/** What was compiled; undefined when its problems were noted. */
function compiled<T>(reader: ConfigReader, compile: () => T): T | undefined {
  try {
    return compile();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    reader.problems.push(error.message);
    return undefined;
  }
}
