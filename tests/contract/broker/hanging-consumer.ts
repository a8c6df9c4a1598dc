// A consumer that never finishes a message. Usage: hanging-consumer.ts CONFIG TOPIC SUBSCRIPTION
import { openBroker } from "@levelset/fleet";
import type { BrokerConfig } from "@levelset/fleet";
import { brokerWorld } from "./harness.ts";

const [config = "", topic = "", subscription = ""] = process.argv.slice(2);
const broker = await openBroker(JSON.parse(config) as BrokerConfig, brokerWorld()); // written by our own test
await broker.subscribe(topic, subscription, ({ event }) => {
  process.stdout.write(`handling ${event.id}\n`);
  return new Promise(() => {});
});
process.stdout.write("subscribed\n");
