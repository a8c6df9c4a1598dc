import { unreachable } from "@levelset/core/internal";
import { BROKER_KINDS } from "../broker/index.ts";
import type { BrokerConfig } from "../broker/index.ts";
import { omitUndefined } from "./omit-undefined.ts";
import type { Section } from "./section.ts";

/** Reads `broker`. `imported` returns the settings of a HyperFleet broker.yaml, which have the lowest precedence. */
export function readBroker(broker: Section, imported: (path: string) => BrokerConfig): BrokerConfig {
  const file = broker.path("file", { env: ["BROKER_CONFIG_FILE"], about: "a HyperFleet broker.yaml file" });
  const fromFile = file === undefined ? undefined : imported(file);
  const kind = broker.choice("kind", BROKER_KINDS, {
    default: fromFile?.kind ?? "memory",
    env: ["BROKER_TYPE"],
    about: "memory: within this process only; nats: JetStream; rabbitmq",
  });
  const nats = readNats(broker.section("nats"));
  const rabbitmq = readRabbitmq(broker.section("rabbitmq"));
  switch (kind) {
    case undefined:
    case "memory":
      return { kind: "memory" };
    case "nats":
      return { kind, ...nats };
    case "rabbitmq": {
      const merged = { ...(fromFile?.kind === "rabbitmq" ? fromFile : {}), ...rabbitmq };
      if (merged.url === undefined) broker.missing("rabbitmq.url", "is required for rabbitmq");
      return { ...merged, kind, url: merged.url ?? "" };
    }
    default:
      return unreachable(kind);
  }
}

function readNats(nats: Section): Omit<Extract<BrokerConfig, { readonly kind: "nats" }>, "kind"> {
  const servers = nats.texts("servers", {
    default: ["127.0.0.1:4222"],
    about: "nats: HOST:PORT of one or more servers of a cluster",
  });
  if (servers?.some((server) => server.includes("@")) === true) {
    nats.missing("servers", "must not contain a user or a password: use the separate settings");
  }
  return {
    servers: servers ?? [],
    ...omitUndefined({
      user: nats.text("user", { about: "nats: the user" }),
      password: nats.secret("password", { about: "nats: the password" }),
      token: nats.secret("token", { about: "nats: a token instead of a user" }),
      replicas: nats.integer("replicas", {
        min: 1,
        max: 5,
        default: 1,
        about: "nats: the number of stream replicas",
      }),
      ackWaitMs: nats.duration("ack_wait", {
        default: 30_000,
        about: "nats: how long a message may be unacknowledged before another consumer gets it",
      }),
    }),
  };
}

function readRabbitmq(rabbitmq: Section): Partial<Omit<Extract<BrokerConfig, { readonly kind: "rabbitmq" }>, "kind">> {
  return omitUndefined({
    url: rabbitmq.address("url", {
      env: ["BROKER_RABBITMQ_URL"],
      about: "rabbitmq: amqp://USER@HOST:PORT/VHOST, or amqps:",
    }),
    queueType: rabbitmq.choice("queue_type", ["quorum", "classic"], { about: "rabbitmq: quorum if not set" }),
    exchangeType: rabbitmq.choice("exchange_type", ["fanout", "topic"], { about: "rabbitmq: fanout if not set" }),
    prefetch: rabbitmq.integer("prefetch", {
      min: 1,
      max: 10_000,
      about: "rabbitmq: unacknowledged messages of a consumer per partition; 16 if not set",
    }),
  });
}
