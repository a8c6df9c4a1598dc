// An API in a process of its own, which a test kills. Usage: api-process.ts CONFIG, the store's configuration as JSON. Says where it listens.
import { writeSync } from "node:fs";
import type { StoreConfig } from "@levelset/fleet";
import { startFleet } from "../harness.ts";

const [text = "{}"] = process.argv.slice(2);
// The test that starts it has made it.
const config = JSON.parse(text) as StoreConfig;
const fleet = await startFleet(config);
writeSync(1, `listening at ${fleet.url}\n`);
