// A Sentinel in a separate process, which a test kills. Usage: sentinel-process.ts CONFIG, the store's configuration as
// JSON. Prints each pulse.
import { writeSync } from "node:fs";
import { realClock, realRandom, silentLogger } from "@levelset/core";
import { MemoryBroker } from "@levelset/fleet/server";
import { openStore, readKinds, Sentinel } from "@levelset/fleet";
import { defaultPulseRule } from "@levelset/fleet/internal";
import type { StoreConfig } from "@levelset/fleet";
import { PULSED_ENTITIES } from "./pulsed-entities.ts";

const [text = "{}"] = process.argv.slice(2);
// Written by the test that starts this process.
const config = JSON.parse(text) as StoreConfig;
const world = { clock: realClock, random: realRandom, logger: silentLogger };
const { signal } = new AbortController();
const broker = new MemoryBroker({ ...world, signal });
await broker.subscribe("pulses", "test", async ({ event, key }) => {
  const { generation } = event.data as { readonly generation: number }; // the format of the default message
  writeSync(1, `pulse ${key} ${generation}\n`);
});
const sentinel = new Sentinel({
  ...world,
  store: await openStore(config, world),
  broker,
  kinds: readKinds(PULSED_ENTITIES),
  rules: [{ ...defaultPulseRule("clusters"), topic: "pulses" }],
  // Small batches, so that all replicas have work.
  limits: { inFlightMax: 16 },
});
const running = sentinel.run(signal);
writeSync(1, "running\n");
await running;
