// `npm test` and `npm run test:full`. Usage: main.ts [--full] [vitest filters …]
import { spawn } from "node:child_process";
import { globSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildAssets, findAssets } from "../envtest/index.ts";
import { installMissing } from "../system/install.ts";
import { CHROMIUM, NATS, POSTGRESQL, RABBITMQ } from "../system/need.ts";
import { findProgram } from "../system/program.ts";
import { closingLine, skippedTests } from "./outcome.ts";

/** Suites that take long, or need a real cluster: `npm run test:full` runs these and only these. */
const FULL = "full.test.ts";
/** Suites of the quick run that the full one repeats, because only by then there may be what they need: a kubectl that was built. */
const REPEATED = ["packages/apiserver/src/server/kubectl.test.ts"];
const CHECKS = [
  ["format", "oxfmt", ["--check"]],
  ["lint", "oxlint", ["--type-aware", "--deny-warnings", "--quiet"]],
  ["types", "tsc", ["--build"]],
] as const;

const { CI } = process.env;
const args = process.argv.slice(2);
const full = args.includes("--full");
const filters = args.filter((arg) => arg !== "--full");

await installMissing(full ? [POSTGRESQL, NATS, RABBITMQ, CHROMIUM] : [POSTGRESQL], {
  apt: process.getuid?.() === 0 ? findProgram("apt-get") : undefined,
  run: (command, commandArgs) => run(command, commandArgs, { DEBIAN_FRONTEND: "noninteractive" }),
  say: (line) => console.error(line),
});

// Otherwise the first levelset dev of a test would make them, while others look.
await run(process.execPath, ["tools/build/web-main.ts"]);

/** Whether there is a good reason to run without a real cluster. */
let mayLackCluster = false;

process.exitCode = (await (full ? prepareRealCluster() : check())) && (await runTests()) ? 0 : 1;

/** Format, lint and types: what they find fails like any test. */
async function check(): Promise<boolean> {
  if (filters.length > 0) return true;
  for (const [name, command, commandArgs] of CHECKS) {
    if (!(await run(command, commandArgs))) {
      console.error(`\n${name}: failed${name === "format" ? ". Hint: npm run format" : ""}`);
      return false;
    }
  }
  return true;
}

/** A real cluster for the suites that want one. Building it takes minutes, so that is done only in CI; people ask for it. */
async function prepareRealCluster(): Promise<boolean> {
  const assets = await findAssets({ env: process.env });
  if (assets.kind === "found") return true;
  const canBuild = await run("go", ["version"]);
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

async function runTests(): Promise<boolean> {
  const files = full ? fullFiles() : [];
  if (full && files.length === 0) {
    console.error(`no file of the full run is named by ${filters.join(" and ")}`);
    return false;
  }
  const directory = await mkdtemp(join(tmpdir(), "levelset-test-"));
  const report = join(directory, "report.json");
  try {
    const scope = full ? files : ["--exclude", `**/*${FULL}`, ...filters];
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
    const passed = await run("vitest", ["run", ...scope, ...reporters]);
    // Without a report there was no run to speak of; vitest has said why.
    const text = await readFile(report, "utf8").catch(() => "{}");
    const outcome: unknown = JSON.parse(text);
    console.log(closingLine(outcome));
    return passed && noForbiddenSkips(outcome);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** The files of the full run that all filters name; vitest itself takes files that any of them names. */
function fullFiles(): readonly string[] {
  const all = globSync(`{packages,tests,tools,examples}/**/*${FULL}`, {
    exclude: (path) => path.includes("node_modules"),
  });
  return [...all, ...REPEATED].filter((file) => filters.every((filter) => file.includes(filter)));
}

/** What cannot be had is skipped in sight. What CI could have had is not skipped there: that is a failure. */
function noForbiddenSkips(report: unknown): boolean {
  const skipped = skippedTests(report);
  for (const name of skipped) console.error(`skipped: ${name}`);
  if (skipped.length === 0 || !full || CI !== "true" || mayLackCluster) return true;
  console.error(`${skipped.length} tests were skipped that CI could have run`);
  return false;
}

function run(
  command: string,
  commandArgs: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(command, [...commandArgs], {
      stdio: "inherit",
      shell: process.platform === "win32",
      env: { ...process.env, ...more },
    });
    child.on("error", (error) => {
      console.error(`${command}: ${error.message}`);
      resolve(false);
    });
    child.on("exit", (code) => resolve(code === 0));
  });
}
