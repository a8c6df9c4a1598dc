// `npm run bench -- NAME [OPTIONS]`: runs a benchmark, prints a table, then one line of JSON with every figure and ratio.
import { choose, say } from "../tools/choice/choice.ts";
import { BENCHES } from "./benches.ts";
import { report } from "./report.ts";

const chosen = choose("bench", BENCHES, process.argv.slice(2));
if (chosen.kind === "say") say(chosen);
else {
  // So that what removes directories at the end is called.
  process.on("SIGINT", () => process.exit(130));
  const bench = await BENCHES[chosen.name].load();
  console.log(report(chosen.name, await bench(chosen.args)));
}
