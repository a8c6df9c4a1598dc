import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { PAGE, page } from "./page.ts";
import { runSuite } from "./suite.ts";

/** Runs the suite, writes its page, prints failures, and returns the exit code. */
export function cel(): number {
  const result = runSuite();
  const file = fileURLToPath(new URL(`../../../${PAGE}`, import.meta.url));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, page(result));
  for (const { case: each, reason } of result.failures) process.stdout.write(`${each.id}: ${reason}\n`);
  process.stdout.write(`without protobuf: passed ${result.purePassed} of ${result.pureTotal}\n`);
  process.stdout.write(`passed ${result.passed} of ${result.total}\n`);
  return result.failures.length === 0 ? 0 : 1;
}
