// `npm test`, `npm run test:full` and `npm run soak`. Usage: main.ts [--full|--soak] [vitest filters …]
import { globSync } from "node:fs";
import { join } from "node:path";
import { buildAssets, findAssets } from "../envtest/index.ts";
import { installMissing } from "../system/install.ts";
import { CHROMIUM, NATS, POSTGRESQL, RABBITMQ } from "../system/system-requirement.ts";
import { findProgram } from "../system/program.ts";
import { forbiddenSkips } from "./forbidden-skips.ts";
import { runProgram } from "./run-program.ts";
import { runTests } from "./run-tests.ts";
import { outcomeLines } from "./test-outcome.ts";

/** Which tests run. `full`: those that are slow or need a server. `soak`: those that take minutes each. */
type Suite = "quick" | "full" | "soak";

/** Suites of the quick run that the full run repeats with every kubectl, one of which may be built only then. */
const REPEATED = ["packages/apiserver/src/server/kubectl.test.ts"];
const CHECKS = [
  ["format", "oxfmt", ["--check"]],
  ["lint", "oxlint", ["--type-aware", "--deny-warnings", "--quiet"]],
  ["types", "tsc", ["--build"]],
] as const;
/** A run that takes longer hangs, for example in a loop that no test timeout can end. */
const LIMIT_MINUTES = { quick: 20, full: 60, soak: 180 } as const satisfies Record<Suite, number>;
/** An incremental build after changes of core's entries can report errors that a full build does not have. */
const FULL_BUILD = ["--build", "--force"];

const { CI } = process.env;
const root = join(import.meta.dirname, "../..");
const args = process.argv.slice(2);
const suite: Suite = args.includes("--full") ? "full" : args.includes("--soak") ? "soak" : "quick";
const filters = args.filter((arg) => arg !== `--${suite}`);

await installMissing(suite === "quick" ? [POSTGRESQL] : [POSTGRESQL, NATS, RABBITMQ, CHROMIUM], {
  apt: process.getuid?.() === 0 ? findProgram("apt-get") : undefined,
  run: (command, commandArgs) => runProgram(command, commandArgs, { env: { DEBIAN_FRONTEND: "noninteractive" } }),
  say: (line) => console.error(line),
});

// Built before the tests, so that concurrent tests do not build the pages.
await runProgram(process.execPath, ["tools/build/web-main.ts"]);

/** Whether kube-apiserver may be missing in this environment. The full run builds it, so the quick run may lack it. */
let mayLackCluster = false;

process.exitCode = (await (suite === "quick" ? check() : prepareRealCluster())) && (await runSuite()) ? 0 : 1;

/** Runs format, lint and type checks. Any problem fails the run. */
async function check(): Promise<boolean> {
  if (filters.length > 0) return true;
  for (const [name, command, commandArgs] of CHECKS) {
    const isPassed = await runProgram(command, commandArgs);
    if (!isPassed && !(command === "tsc" && (await runProgram(command, FULL_BUILD)))) {
      console.error(`\n${name}: failed${name === "format" ? ". Hint: npm run format" : ""}`);
      return false;
    }
  }
  return true;
}

/** Prepares kube-apiserver for the suites that need it. Builds it only in CI, because that takes minutes. */
async function prepareRealCluster(): Promise<boolean> {
  const assets = await findAssets({ env: process.env });
  if (assets.kind === "found") return true;
  const canBuild = await runProgram("go", ["version"]);
  if (CI !== "true" || !canBuild) {
    console.error(assets.line);
    mayLackCluster = true;
    return true;
  }
  try {
    await buildAssets({ env: process.env, progress: (line) => console.error(line) });
    return true;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return false;
  }
}

async function runSuite(): Promise<boolean> {
  const scope = suite === "quick" ? quickScope() : slowFiles(suite);
  if (scope.length === 0) {
    console.error(`no file of ${suite} matches ${filters.join(" and ")}`);
    return false;
  }
  const outcomePath = join(root, `.levelset/test-${suite}.json`);
  const env = { LEVELSET_TEST_SUITE: suite };
  const limit = AbortSignal.timeout(LIMIT_MINUTES[suite] * 60_000);
  const run: typeof runProgram = (command, commandArgs, options) =>
    runProgram(command, commandArgs, { ...options, limit });
  const outcome = await runTests({ root, scope, env, outcomePath, run });
  if (limit.aborted) console.error(`the tests did not end within ${LIMIT_MINUTES[suite]} min: vitest was killed`);
  // Without an outcome vitest was killed, or has failed to run and has printed the reason.
  if (outcome === undefined) return false;
  for (const line of outcomeLines(outcome)) console.log(line);
  // In CI, skipped tests whose requirements could be installed are a failure.
  const forbidden = CI === "true" ? forbiddenSkips(outcome.skipped, suite === "quick" || mayLackCluster) : [];
  for (const id of forbidden) console.error(`skipped, but CI could have run it: ${id}`);
  return outcome.isPassed && forbidden.length === 0;
}

function quickScope(): readonly string[] {
  return ["--exclude", "**/*.full.test.ts", "--exclude", "**/*.soak.test.ts", ...filters];
}

/** Returns the files of a suite that match all filters; vitest itself runs files that match any of them. */
function slowFiles(suite: "full" | "soak"): readonly string[] {
  const all = globSync(`{packages,tests,tools,examples}/**/*.${suite}.test.ts`, {
    exclude: (path) => path.includes("node_modules"),
  });
  const files = suite === "full" ? [...all, ...REPEATED] : all;
  return files.filter((file) => filters.every((filter) => file.includes(filter)));
}
