// `npm test` and `npm run test:full`. Usage: main.ts [--full] [vitest filters …]
import { spawn } from "node:child_process";
import { globSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildAssets, findAssets } from "../envtest/index.ts";
import { installMissing } from "../system/install.ts";
import { CHROMIUM, NATS, POSTGRESQL, RABBITMQ } from "../system/system-requirement.ts";
import { findProgram } from "../system/program.ts";
import { summaryLine, skippedTests } from "./test-report.ts";

/** Suites that are slow or need kube-apiserver. `npm run test:full` runs only these. */
const FULL = "full.test.ts";
/** Suites of the quick run that the full run repeats, because they need a kubectl that may be built only then. */
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

// Built before the tests, so that concurrent tests do not build the pages.
await run(process.execPath, ["tools/build/web-main.ts"]);

/** Whether kube-apiserver may be missing in this environment. */
let mayLackCluster = false;

process.exitCode = (await (full ? prepareRealCluster() : check())) && (await runTests()) ? 0 : 1;

/** Runs format, lint and type checks. Any problem fails the run. */
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

/** Prepares kube-apiserver for the suites that need it. Builds it only in CI, because that takes minutes. */
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
    console.error(`no file of the full run matches ${filters.join(" and ")}`);
    return false;
  }
  const directory = await mkdtemp(join(tmpdir(), "levelset-test-"));
  const report = join(directory, "report.json");
  try {
    const scope = full ? files : ["--exclude", `**/*${FULL}`, ...filters];
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
    const passed = await run("vitest", ["run", ...scope, ...reporters]);
    // Without a report vitest has failed to run and has printed the reason.
    const text = await readFile(report, "utf8").catch(() => "{}");
    const outcome: unknown = JSON.parse(text);
    console.log(summaryLine(outcome));
    return passed && noForbiddenSkips(outcome);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Returns the files of the full run that match all filters; vitest itself runs files that match any of them. */
function fullFiles(): readonly string[] {
  const all = globSync(`{packages,tests,tools,examples}/**/*${FULL}`, {
    exclude: (path) => path.includes("node_modules"),
  });
  return [...all, ...REPEATED].filter((file) => filters.every((filter) => file.includes(filter)));
}

/** Lists skipped tests. In CI, skipped tests whose requirements could be installed are a failure. */
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
