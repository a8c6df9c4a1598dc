import { unreachable } from "@levelset/core";
import type { BrokerConfig } from "../broker/index.ts";
import { defined } from "./defined.ts";
import type { Section } from "./section.ts";

/** Reads `broker`. `imported` is what a file of the originals says: it stands where nothing else does. */
export function readBroker(broker: Section, imported: (path: string) => BrokerConfig): BrokerConfig {
  const file = broker.path("file", { env: ["BROKER_CONFIG_FILE"], about: "the originals' broker.yaml, used as it is" });
  const fromFile = file === undefined ? undefined : imported(file);
  const kind = broker.choice("kind", ["memory", "nats", "rabbitmq"], {
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
      const whole = { ...(fromFile?.kind === "rabbitmq" ? fromFile : {}), ...rabbitmq };
      if (whole.url === undefined) broker.missing("rabbitmq.url", "is needed for rabbitmq");
      return { ...whole, kind, url: whole.url ?? "" };
    }
    default:
      return unreachable(kind);
  }
}

function readNats(nats: Section): Omit<Extract<BrokerConfig, { readonly kind: "nats" }>, "kind"> {
  const servers = nats.texts("servers", {
    default: ["127.0.0.1:4222"],
    about: "nats: HOST:PORT, one or more of a cluster",
  });
  if (servers?.some((server) => server.includes("@")) === true) {
    nats.missing("servers", "must not hold a user or a password: they are settings of their own");
  }
  return {
    servers: servers ?? [],
    ...defined({
      user: nats.text("user", { about: "nats: the user" }),
      password: nats.secret("password", { about: "nats: the password" }),
      token: nats.secret("token", { about: "nats: a token instead of a user" }),
      replicas: nats.integer("replicas", {
        min: 1,
        max: 5,
        default: 1,
        about: "nats: on how many servers streams are kept",
      }),
      ackWaitMs: nats.duration("ack_wait", {
        default: 30_000,
        about: "nats: after how long without a sign of its consumer a message goes to another one",
      }),
    }),
  };
}

function readRabbitmq(rabbitmq: Section): Partial<Omit<Extract<BrokerConfig, { readonly kind: "rabbitmq" }>, "kind">> {
  return defined({
    url: rabbitmq.address("url", {
      env: ["BROKER_RABBITMQ_URL"],
      about: "rabbitmq: amqp://USER@HOST:PORT/VHOST, or amqps:",
    }),
    queueType: rabbitmq.choice("queue_type", ["quorum", "classic"], { about: "rabbitmq: quorum if not given" }),
    exchangeType: rabbitmq.choice("exchange_type", ["fanout", "topic"], { about: "rabbitmq: fanout if not given" }),
    prefetch: rabbitmq.integer("prefetch", {
      min: 1,
      max: 10_000,
      about: "rabbitmq: how many messages a consumer holds of each slot; 16 if not given",
    }),
  });
}
