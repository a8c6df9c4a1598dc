import { InputError } from "@levelset/core";
import type { BrokerConfig } from "../broker/index.ts";
import { ConfigReader } from "./config-reader.ts";
import type { ConfigFile, ConfigSources } from "./config-sources.ts";
import { defined } from "./defined.ts";
import { Section } from "./section.ts";

/** What a broker.yaml of the originals comes to. */
export interface BrokerFile {
  readonly config: BrokerConfig;
  /** What stands in it and has no effect here. */
  readonly notes: readonly string[];
}

/** Settings that have no counterpart, and why they need none. */
const WITHOUT_EFFECT = {
  queue: "queues are called like the topic and the subscription",
  prefetch_size: "messages are counted, not weighed",
  consumer_tag: "the server gives the tags",
  publisher_confirm: "publishing is always confirmed",
} as const;

/** Reads a broker.yaml of the originals. Throws an InputError for unknown keys, and for Google Pub/Sub, which is not there yet. */
export function readBrokerFile(file: ConfigFile, sources: ConfigSources): BrokerFile {
  const reader = new ConfigReader({ ...sources, file, env: {}, flags: {} });
  const root = new Section(reader, "", file.settings, false);
  const broker = root.section("broker");
  const type = broker.required("type", "which broker");
  if (type === "googlepubsub")
    throw new InputError(`${file.path}: googlepubsub is not supported yet`, { hint: "use rabbitmq, or nats" });
  const rabbitmq = broker.section("rabbitmq");
  const config: BrokerConfig = {
    kind: "rabbitmq",
    url: rabbitmq.required("url", "the server"),
    ...defined({
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
  // Adapters say themselves how much they do at a time; logs are those of the process.
  root.section("subscriber").integer("parallelism", { min: 1, max: 10_000, about: "handlers at a time" });
  root.data("log_config", "logs");
  if (type !== "rabbitmq") broker.missing("type", "must be rabbitmq");
  reader.finish();
  return { config, notes };
}

/** A text, if there is one. The charts of the originals write an empty one for none. */
function textIn(section: Section, key: string, about: string): string | undefined {
  const value = section.data(key, about);
  if (value === undefined || value === "") return undefined;
  if (typeof value === "string") return value;
  section.missing(key, "must be a text");
  return undefined;
}
