// `npm run bench -- NAME`: runs a benchmark, prints a table, then one line of JSON with every figure and ratio.
import { cel } from "./cel.ts";
import { report } from "./report.ts";
import type { Figure } from "./report.ts";
import { startup } from "./startup.ts";

const BENCHES: Readonly<Record<string, () => Promise<readonly Figure[]>>> = { cel, startup };

const [name] = process.argv.slice(2);
const names = Object.keys(BENCHES).join(", ");
const bench = name === undefined ? undefined : new Map(Object.entries(BENCHES)).get(name);
if (name === "--help") {
  console.log(`npm run bench -- NAME\nbenchmarks: ${names}`);
} else if (name === undefined || bench === undefined) {
  console.error(`bench: ${name === undefined ? "which one?" : `there is no benchmark ${name}`}\nhint: ${names}`);
  process.exitCode = 2;
} else {
  console.log(report(name, await bench()));
}
