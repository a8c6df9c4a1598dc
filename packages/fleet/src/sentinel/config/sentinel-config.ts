import { InputError, isJsonObject } from "@levelset/core";
import type { LogLevel } from "@levelset/core";
import type { TextMap } from "../../resource/index.ts";
import { SentinelConfigReader } from "./sentinel-config-reader.ts";
import type { SentinelConfigSources } from "./sentinel-config-reader.ts";
import { PulseDecision } from "../decision/pulse-decision.ts";
import { DEFAULT_DECISION } from "../decision/decision-expressions.ts";
import type { DecisionExpressions } from "../decision/decision-expressions.ts";
import { DEFAULT_MESSAGE, MessageData } from "../pulse/message-data.ts";
import type { MessageExpressions } from "../pulse/message-data.ts";
import type { PulseRule } from "../decision/pulse-rule.ts";

/** Where a Sentinel finds due resources: in the fleet's own store, or by polling an API. */
export type SentinelSource = "store" | "http";

/** How an API is polled. */
export interface SentinelApiConfig {
  readonly baseUrl: string;
  readonly version: string;
  readonly timeoutMs: number;
  readonly pageSize: number;
  readonly token: { readonly path: string; readonly cacheMs: number } | undefined;
}

/** Validated configuration of a Sentinel, with compiled expressions. */
export interface SentinelConfig {
  readonly name: string;
  readonly rule: PulseRule;
  /** Undefined without a base URL, which is only allowed with the source `store`. */
  readonly api: SentinelApiConfig | undefined;
  /** Log settings of the process; undefined if unset. */
  readonly log: {
    readonly level: LogLevel | undefined;
    readonly format: "json" | "text" | undefined;
    readonly output: "stdout" | "stderr" | undefined;
  };
  /** Whether the configuration is logged at startup. */
  readonly debugConfig: boolean;
  readonly tracing: boolean;
}

/** Sources and purpose of a configuration. */
export interface SentinelConfigInput extends SentinelConfigSources {
  readonly source: SentinelSource;
}

const PAGE_SIZE_MAX = 500;
const LABEL_KEY = /^[A-Za-z0-9](?:[A-Za-z0-9._/-]*[A-Za-z0-9])?$/u;

/**
 * Reads a Sentinel configuration in the HyperFleet format. Throws an InputError that names every problem
 * and how to fix it.
 */
export function readSentinelConfig(input: SentinelConfigInput): SentinelConfig {
  const reader = new SentinelConfigReader(input);
  const resourceType = readResourceType(reader);
  const pollIntervalMs = reader.duration("poll_interval", 5_000);
  const selector = readSelector(reader);
  const decision = compiled(reader, () => new PulseDecision(readDecision(reader)));
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
  reader.rejectUnknown();
  if (reader.problems.length > 0 || decision === undefined || data === undefined)
    throw new InputError(`invalid Sentinel configuration: ${reader.problems.join("; ")}`);
  return { ...config, rule: { resourceType, selector, decision, data, topic, pollIntervalMs } };
}

/** Returns the rule of a kind, by its plural, with the defaults of all settings. */
export function defaultPulseRule(resourceType: string): PulseRule {
  return readSentinelConfig({ file: { resource_type: resourceType }, env: {}, flags: {}, source: "store" }).rule;
}

function readResourceType(reader: SentinelConfigReader): string {
  const type = reader.text("resource_type", "");
  if (type === "") reader.problem("resource_type", "is missing: set the plural of a kind, such as clusters");
  else if (/[/?#%\\\s]/u.test(type) || type === "." || type === "..")
    reader.problem("resource_type", "must be one segment of a path, such as clusters");
  return type;
}

function readSelector(reader: SentinelConfigReader): TextMap {
  const entries = reader.list("resource_selector").flatMap((entry, index): readonly (readonly [string, string])[] => {
    const path = `resource_selector[${index}]`;
    if (!isJsonObject(entry)) return reader.problem(path, "must have a label and a value");
    const unknown = Object.keys(entry).find((key) => key !== "label" && key !== "value");
    if (unknown !== undefined) return reader.problem(`${path}.${unknown}`, "unknown key; allowed: label, value");
    const { label, value } = entry;
    if (typeof label !== "string" || !LABEL_KEY.test(label))
      return reader.problem(`${path}.label`, "must be a valid label key");
    if (typeof value !== "string" || value === "") return reader.problem(`${path}.value`, "must be a string");
    return [[label, value]];
  });
  const twice = entries.find(([label], index) => entries.findIndex(([other]) => other === label) !== index);
  if (twice !== undefined) reader.problem("resource_selector", `duplicate label ${twice[0]}`);
  return Object.fromEntries(entries);
}

function readDecision(reader: SentinelConfigReader): DecisionExpressions {
  const configured = reader.value("message_decision");
  if (configured === undefined) return DEFAULT_DECISION;
  if (!isJsonObject(configured)) throw new InputError("message_decision: must have params and a result");
  const unknown = Object.keys(configured).find((key) => key !== "params" && key !== "result");
  if (unknown !== undefined) throw new InputError(`message_decision.${unknown}: unknown key; allowed: params, result`);
  const { params = [], result = "" } = configured;
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

function readMessage(reader: SentinelConfigReader): MessageExpressions {
  const configured = reader.value("message_data");
  if (configured === undefined) return DEFAULT_MESSAGE;
  if (!isJsonObject(configured)) throw new InputError("message_data: must be an object of expressions");
  // MessageData itself rejects invalid expressions with a location.
  return configured as MessageExpressions;
}

function readApi(reader: SentinelConfigReader, source: SentinelSource): SentinelApiConfig | undefined {
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

/** Returns the compiled value; undefined if its problems were recorded. */
function compiled<T>(reader: SentinelConfigReader, compile: () => T): T | undefined {
  try {
    return compile();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    reader.problems.push(error.message);
    return undefined;
  }
}
