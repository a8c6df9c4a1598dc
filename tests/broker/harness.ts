import { realClock, realRandom } from "@levelset/core";
import type { Logger } from "@levelset/core";
import { memoryLogger } from "@levelset/core/testing";
import type { Broker, BrokerConfig, BrokerWorld } from "@levelset/fleet";
import { openBroker } from "@levelset/fleet";

/** A server that the contract is tried on. */
export interface BrokerHarness extends AsyncDisposable {
  /** Connects as another process would. What is opened here ends with the harness. */
  open(): Promise<Broker>;
  /** Publishes bytes as a publisher would that is none of ours. */
  publishBytes(topic: string, body: Uint8Array): Promise<void>;
}

/** A real server, which can go away. */
export interface ServerHarness extends BrokerHarness {
  readonly config: BrokerConfig;
  /** Waits until what was declared would survive a kill. */
  settle(): Promise<void>;
  kill(): Promise<void>;
  start(): Promise<void>;
}

/** The real world, for a broker in a test. */
export function brokerWorld(logger: Logger = memoryLogger().logger): BrokerWorld {
  return { clock: realClock, random: realRandom, logger, signal: new AbortController().signal };
}

/** Opens brokers of one configuration and closes them together. */
export function opener(config: BrokerConfig): {
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
