// `npm run conformance -- NAME`: runs a conformance suite, and prints `passed X of Y` last.
import { parseSubcommand, printAndExit } from "../../tools/subcommand/subcommand.ts";
import { ArgumentError } from "./kubernetes/suite/arguments.ts";
import { SUITES } from "./suites.ts";

const chosen = parseSubcommand("conformance", SUITES, process.argv.slice(2));
if (chosen.kind === "say") printAndExit(chosen);
else {
  // So that temporary directories are removed at exit.
  process.on("SIGINT", () => process.exit(130));
  const suite = await SUITES[chosen.name].load();
  try {
    process.exitCode = await suite(chosen.args);
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error;
    printAndExit({
      kind: "say",
      lines: [`conformance: ${error.message}`, "hint: run with --help"],
      code: 2,
    });
  }
}
