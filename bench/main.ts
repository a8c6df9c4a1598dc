// `npm run bench -- NAME [OPTIONS]`: runs a benchmark, prints a table, then one line of JSON with every figure and ratio.
import { apiserver } from "./apiserver.ts";
import { cel } from "./cel.ts";
import { fleet } from "./fleet.ts";
import { operand } from "./operand.ts";
import { report } from "./report.ts";
import type { Figure } from "./report.ts";
import { runtime } from "./runtime.ts";
import { startup } from "./startup.ts";

const BENCHES: Readonly<Record<string, (args: readonly string[]) => Promise<readonly Figure[]>>> = {
  apiserver,
  cel,
  fleet,
  operand,
  runtime,
  startup,
};

const [name, ...args] = process.argv.slice(2);
const names = Object.keys(BENCHES).join(", ");
const bench = name === undefined ? undefined : new Map(Object.entries(BENCHES)).get(name);
if (name === "--help") {
  console.log(
    `npm run bench -- NAME [OPTIONS]\nbenchmarks: ${names}\nruntime --real, operand --real: against kube-apiserver with etcd\nfleet --quick: a tenth of it; --sqlite, --postgres: only there`,
  );
} else if (name === undefined || bench === undefined) {
  console.error(`bench: ${name === undefined ? "which one?" : `there is no benchmark ${name}`}\nhint: ${names}`);
  process.exitCode = 2;
} else {
  console.log(report(name, await bench(args)));
}
