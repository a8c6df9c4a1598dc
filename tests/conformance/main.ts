// `npm run conformance -- NAME`: runs a conformance suite, writes its page, and prints `passed X of Y` last.
import { cel } from "./cel/main.ts";
import { kubernetes } from "./kubernetes/main.ts";

type Suite = (args: readonly string[]) => number | Promise<number>;

const SUITES: ReadonlyMap<string, Suite> = new Map<string, Suite>([
  ["cel", cel],
  ["kubernetes", kubernetes],
]);

const [name, ...args] = process.argv.slice(2);
const suite = name === undefined ? undefined : SUITES.get(name);
if (suite === undefined) {
  process.stderr.write(`conformance: ${name === undefined ? "which one?" : `there is no suite ${name}`}\n`);
  process.stderr.write(`hint: ${[...SUITES.keys()].join(", ")}\n`);
  process.exitCode = 2;
} else {
  process.exitCode = await suite(args);
}
