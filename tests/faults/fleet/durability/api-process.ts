// API in a separate process, which a test kills. Usage: api-process.ts CONFIG, the store's configuration as JSON.
// Prints its URL.
import { writeSync } from "node:fs";
import type { StoreConfig } from "@levelset/fleet";
import { startFleet } from "../../../support/fleet/running-fleet.ts";

const [text = "{}"] = process.argv.slice(2);
// Written by the test that starts the process.
const config = JSON.parse(text) as StoreConfig;
const fleet = await startFleet(config);
writeSync(1, `listening at ${fleet.url}\n`);
