// A process of a fleet: the API, a Sentinel, or both. Usage: fleet-process-main.ts JSON, with JSON of type
// `FleetProcessOptions`. Prints its address, then each pulse that a subscriber receives, and the number of statements
// on request. Ends at the end of its standard input.
import { writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { realClock, realRandom, silentLogger } from "@levelset/core";
import { createFleetApi, openStore, Sentinel } from "@levelset/fleet";
import { defaultPulseRule } from "@levelset/fleet/internal";
import { MemoryBroker } from "@levelset/fleet/server";
import type { FleetProcessOptions } from "./fleet-process.ts";
import { CLUSTER, KINDS } from "./seed-store.ts";

const TOPIC = "pulses";
const [text = "{}"] = process.argv.slice(2);
// Written by the benchmark.
const { config, roles } = JSON.parse(text) as FleetProcessOptions;
const world = { clock: realClock, random: realRandom, logger: silentLogger };
const store = await openStore(config, world);

if (roles.includes("sentinel")) await startSentinel();
const url = roles.includes("api") ? await startApi() : "";
writeSync(1, `up ${url}\n`);
for await (const line of createInterface({ input: process.stdin })) {
  if (line === "statements") writeSync(1, `statements ${store.statements}\n`);
}
process.exit(0);

async function startApi(): Promise<string> {
  const api = createFleetApi({ ...world, host: "127.0.0.1", port: 0, store, kinds: KINDS, version: "bench" });
  return (await api.listen()).url;
}

async function startSentinel(): Promise<void> {
  const { signal } = new AbortController();
  const broker = new MemoryBroker({ ...world, signal });
  await broker.subscribe(TOPIC, "bench", async ({ event, key }) => {
    const { generation } = event.data as { readonly generation: number }; // as in the default message
    writeSync(1, `pulse ${key} ${generation} ${performance.timeOrigin + performance.now()}\n`);
  });
  const rule = { ...defaultPulseRule(CLUSTER.plural), topic: TOPIC };
  void new Sentinel({ ...world, store, broker, kinds: KINDS, rules: [rule] }).run(signal);
}
