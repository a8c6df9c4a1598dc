// `npm run bench -- NAME [OPTIONS]`: runs a benchmark, prints a table, then one line of JSON with every figure and
// ratio.
import { parseSubcommand, printAndExit } from "../tools/subcommand/subcommand.ts";
import { BENCHMARKS } from "./benchmarks.ts";
import { report } from "./report.ts";

const chosen = parseSubcommand("bench", BENCHMARKS, process.argv.slice(2));
if (chosen.kind === "say") printAndExit(chosen);
else {
  // Exits normally, so that exit handlers remove temporary directories.
  process.on("SIGINT", () => process.exit(130));
  const bench = await BENCHMARKS[chosen.name].load();
  console.log(report(chosen.name, await bench(chosen.args)));
}
