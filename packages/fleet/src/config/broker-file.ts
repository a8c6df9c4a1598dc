import { InputError } from "@levelset/core";
import type { BrokerConfig } from "../broker/index.ts";
import { SettingsReader } from "./settings-reader.ts";
import type { ConfigFile, ConfigSources } from "./config-sources.ts";
import { omitUndefined } from "./omit-undefined.ts";
import { Section } from "./section.ts";

/** The settings of a HyperFleet broker.yaml. */
export interface BrokerFile {
  readonly config: BrokerConfig;
  /** Settings in the file that have no effect here. */
  readonly warnings: readonly string[];
}

/** Settings without a counterpart, and why. */
const WITHOUT_EFFECT = {
  queue: "queues are named after the topic and the subscription",
  prefetch_size: "limits count messages, not bytes",
  consumer_tag: "the server assigns the tags",
  publisher_confirm: "publisher confirms are always on",
} as const;

/**
 * Reads a HyperFleet broker.yaml. Throws an `InputError` for unknown keys, and for Google Pub/Sub, which is not
 * supported yet.
 */
export function readBrokerFile(file: ConfigFile, sources: ConfigSources): BrokerFile {
  const reader = new SettingsReader({ ...sources, file, env: {}, flags: {} });
  const root = new Section(reader, "", file.settings, false);
  const broker = root.section("broker");
  const type = broker.required("type", "which broker");
  if (type === "googlepubsub")
    throw new InputError(`${file.path}: googlepubsub is not supported yet`, { hint: "use rabbitmq, or nats" });
  const rabbitmq = broker.section("rabbitmq");
  const config: BrokerConfig = {
    kind: "rabbitmq",
    url: rabbitmq.required("url", "the server"),
    ...omitUndefined({
      exchangeType: rabbitmq.choice("exchange_type", ["fanout", "topic"], { about: "the type of the exchange" }),
      exchange: textIn(rabbitmq, "exchange", "the exchange of all topics"),
      routingKey: textIn(rabbitmq, "routing_key", "the routing key of messages"),
      prefetch: rabbitmq.integer("prefetch_count", { min: 1, max: 10_000, about: "messages at a time" }),
    }),
  };
  const notes = Object.entries(WITHOUT_EFFECT).flatMap(([key, why]) => {
    const value = rabbitmq.data(key, why);
    return value === undefined || value === "" ? [] : [`${file.path}: broker.rabbitmq.${key} has no effect: ${why}`];
  });
  // Adapters configure concurrency themselves; logging is that of the process.
  root.section("subscriber").integer("parallelism", { min: 1, max: 10_000, about: "handlers at a time" });
  root.data("log_config", "logs");
  if (type !== "rabbitmq") broker.missing("type", "must be rabbitmq");
  reader.throwProblems();
  return { config, warnings: notes };
}

/** Returns a string if it is not empty. The HyperFleet charts write an empty string for none. */
function textIn(section: Section, key: string, about: string): string | undefined {
  const value = section.data(key, about);
  if (value === undefined || value === "") return undefined;
  if (typeof value === "string") return value;
  section.missing(key, "must be a string");
  return undefined;
}
