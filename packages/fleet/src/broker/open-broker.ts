import { unreachable } from "@levelset/core/internal";
import type { Broker, BrokerWorld } from "./broker.ts";
import { MemoryBroker } from "./memory/memory-broker.ts";
import type { MemoryHub } from "./memory/memory-hub.ts";
import type { NatsOptions } from "./nats/nats-broker.ts";
import type { RabbitmqOptions } from "./rabbitmq/rabbitmq-broker.ts";

/** Kind and connection settings of a broker. */
export type BrokerConfig =
  | { readonly kind: "memory"; readonly hub?: MemoryHub }
  | ({ readonly kind: "nats" } & NatsOptions)
  | ({ readonly kind: "rabbitmq" } & RabbitmqOptions);

/**
 * Opens a broker. Loads the client library of the chosen server on demand. Rejects with `BrokerUnavailableError` if the
 * server cannot be reached in time.
 */
export async function openBroker(config: BrokerConfig, world: BrokerWorld): Promise<Broker> {
  const { clock, random, logger, signal } = world;
  const options = { ...config, clock, random, logger, signal };
  switch (options.kind) {
    case "memory":
      return new MemoryBroker(options);
    case "nats":
      return (await import("./nats/nats-broker.ts")).connectNats(options);
    case "rabbitmq":
      return (await import("./rabbitmq/rabbitmq-broker.ts")).connectRabbitmq(options);
    default:
      return unreachable(options);
  }
}
