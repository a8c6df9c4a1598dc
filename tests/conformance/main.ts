// `npm run conformance -- NAME`: runs a conformance suite, and prints `passed X of Y` last.
import { choose, say } from "../../tools/choice/choice.ts";
import { ArgumentError } from "./kubernetes/suite/arguments.ts";
import { SUITES } from "./suites.ts";

const chosen = choose("conformance", SUITES, process.argv.slice(2));
if (chosen.kind === "say") say(chosen);
else {
  // So that what removes directories at the end is called.
  process.on("SIGINT", () => process.exit(130));
  const suite = await SUITES[chosen.name].load();
  try {
    process.exitCode = await suite(chosen.args);
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error;
    say({ kind: "say", lines: [`conformance: ${error.message}`, "hint: --help tells what there is"], code: 2 });
  }
}
