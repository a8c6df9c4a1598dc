import { realClock, realRandom } from "@levelset/core";
import type { Logger } from "@levelset/core";
import { memoryLogger } from "@levelset/core/testing";
import type { Broker, BrokerConfig } from "@levelset/fleet";
import type { BrokerWorld } from "@levelset/fleet/server";
import { openBroker } from "@levelset/fleet";

/** A server that the contract tests run against. */
export interface BrokerHarness extends AsyncDisposable {
  /** Connects like another process. Connections are closed with the harness. */
  open(): Promise<Broker>;
  /** Publishes bytes like a third-party publisher. */
  publishBytes(topic: string, body: Uint8Array): Promise<void>;
}

/** A real server that can be stopped. */
export interface ServerHarness extends BrokerHarness {
  readonly config: BrokerConfig;
  /** Waits until the server has persisted the declared queues, so that they survive a kill. */
  untilQueuesDurable(): Promise<void>;
  kill(): Promise<void>;
  start(): Promise<void>;
}

/** Returns real dependencies for a broker in a test. */
export function brokerWorld(logger: Logger = memoryLogger().logger): BrokerWorld {
  return { clock: realClock, random: realRandom, logger, signal: new AbortController().signal };
}

/** Opens brokers with one configuration and closes them together. */
export function brokerOpener(config: BrokerConfig): {
  readonly open: () => Promise<Broker>;
  readonly close: () => Promise<void>;
} {
  const brokers: Broker[] = [];
  return {
    open: async () => {
      const broker = await openBroker(config, brokerWorld());
      brokers.push(broker);
      return broker;
    },
    close: async () => {
      await Promise.all(brokers.map((broker) => broker.close()));
    },
  };
}
