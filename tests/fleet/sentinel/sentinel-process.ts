// A Sentinel in a process of its own, which a test kills. Usage: sentinel-process.ts CONFIG, the store's configuration as JSON. Says each pulse.
import { writeSync } from "node:fs";
import { realClock, realRandom, silentLogger } from "@levelset/core";
import {
  Decision,
  DEFAULT_DECISION,
  DEFAULT_MESSAGE,
  MemoryBroker,
  MessageData,
  openStore,
  readKinds,
  Sentinel,
} from "@levelset/fleet";
import type { StoreConfig } from "@levelset/fleet";
import { LEASE_MS, PULSED_ENTITIES } from "./pulsed-entities.ts";

const [text = "{}"] = process.argv.slice(2);
// The test that starts it has made it.
const config = JSON.parse(text) as StoreConfig;
const world = { clock: realClock, random: realRandom, logger: silentLogger };
const { signal } = new AbortController();
const broker = new MemoryBroker({ ...world, signal });
await broker.subscribe("pulses", "test", async ({ event, key }) => {
  const { generation } = event.data as { readonly generation: number }; // as the default message has it
  writeSync(1, `pulse ${key} ${generation}\n`);
});
const sentinel = new Sentinel({
  ...world,
  store: await openStore(config, world),
  broker,
  kinds: readKinds(PULSED_ENTITIES),
  rules: [
    {
      resourceType: "clusters",
      selector: {},
      decision: new Decision(DEFAULT_DECISION),
      data: new MessageData(DEFAULT_MESSAGE),
      topic: "pulses",
      pollIntervalMs: 5_000,
    },
  ],
  // Small hands, so that all of them have something to do.
  limits: { leaseMs: LEASE_MS, publishTimeoutMs: 1_000, inFlightMax: 16 },
});
const running = sentinel.run(signal);
writeSync(1, "running\n");
await running;
