import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isPureTest } from "./pure-test.ts";
import { REPORT_PATH } from "./report-writer.ts";
import { combine, failedFiles } from "./test-outcome.ts";
import type { TestOutcome } from "./test-outcome.ts";
import { readReport } from "./test-report.ts";
import type { TestReport } from "./test-report.ts";

const REPORTERS = ["--reporter=default", `--reporter=${fileURLToPath(new URL("report-writer.ts", import.meta.url))}`];

/** Options of {@link runTests}. */
export interface RunTestsOptions {
  /** Folder with the tests, and with `vitest.config.ts` if there is one. */
  readonly root: string;
  /** Files and options of vitest in the first run. */
  readonly scope: readonly string[];
  /** More environment variables of the tests. */
  readonly env?: Readonly<Record<string, string>>;
  /** Path at which the outcome is stored as JSON. */
  readonly outcomePath: string;
  /** Runs a program in a directory; resolves with whether it succeeded. */
  readonly run: (
    command: string,
    args: readonly string[],
    options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
  ) => Promise<boolean>;
}

/**
 * Runs tests, and the files that failed a second time. Returns undefined if vitest ended without a report, and removes
 * an older outcome. If only the second run ends without a report, the failures of the first one count.
 */
export async function runTests(options: RunTestsOptions): Promise<TestOutcome | undefined> {
  await rm(options.outcomePath, { force: true });
  const first = await runOnce(options, options.scope);
  if (first === undefined) return undefined;
  const files = failedFiles(first.report);
  const again = files.length === 0 ? undefined : await runOnce(options, paths(options.root, files));
  const combined = combine(first.report, again?.report, (file) => isPureTest(options.root, file));
  // Vitest may fail for other reasons, for example because no file matches.
  const outcome = { ...combined, isPassed: combined.isPassed && (again ?? first).isSuccess };
  await mkdir(dirname(options.outcomePath), { recursive: true });
  await writeFile(options.outcomePath, `${JSON.stringify(outcome, undefined, 2)}\n`);
  return outcome;
}

async function runOnce(
  { root, run, env }: RunTestsOptions,
  scope: readonly string[],
): Promise<{ readonly isSuccess: boolean; readonly report: TestReport } | undefined> {
  const directory = await mkdtemp(join(tmpdir(), "levelset-test-"));
  const path = join(directory, "report.json");
  try {
    const options = { cwd: root, env: { ...env, [REPORT_PATH]: path } };
    const isSuccess = await run("vitest", ["run", ...scope, ...REPORTERS], options);
    const report = await readReport(path);
    return report === undefined ? undefined : { isSuccess, report };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Returns absolute paths, so that no other path contains one of them. */
function paths(root: string, files: readonly string[]): readonly string[] {
  return files.map((file) => join(root, file));
}
