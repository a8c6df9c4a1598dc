import { resolve } from "node:path";
import { EXIT_CODES } from "../process/index.ts";
import { jsonText } from "../terminal/index.ts";
import type { Shell } from "../terminal/index.ts";
import { commandLine } from "./command-line.ts";
import { replayFile } from "./replay-file.ts";
import { simulateFile } from "./simulate-file.ts";
import type { SimulatedFile, SimulateSettings, SimulationInputs } from "./simulate-file.ts";
import { simulationPage } from "./simulation-page.ts";
import { failureText, summaryText, warnings } from "./simulation-text.ts";
import { writeStory, writeText } from "./story-files.ts";
import { checkTestTarget, writeTest } from "./test-file.ts";
import type { SeedFailure } from "./worker-message.ts";

/** What a simulation writes. */
export interface OutputSettings {
  readonly output: "text" | "json";
  /** Path of an HTML page. */
  readonly html: string | undefined;
  /** Path of a test. */
  readonly writeTest: string | undefined;
  /** Whether an existing test is replaced. */
  readonly force: boolean;
}

/** A failure, its story file, and the command that replays it. */
interface WrittenFailure {
  readonly failure: SeedFailure;
  readonly story: string | undefined;
  readonly command: string;
}

/** Simulates a program and writes the results. */
export async function runSimulation(settings: SimulateSettings, to: OutputSettings, shell: Shell): Promise<void> {
  const { file } = settings;
  if (to.writeTest !== undefined) await checkTestTarget({ path: to.writeTest, force: to.force, cwd: shell.cwd });
  const result = await simulateFile(settings, shell);
  const failures: WrittenFailure[] = [];
  for (const failure of result.failures) {
    const story = await writeStory(failure, settings, shell.cwd);
    const how = story === undefined ? ["--seed", String(failure.seed)] : ["--replay", story];
    failures.push({ failure, story, command: commandLine(settings, how) });
  }
  shell.exitCode(exitCodeOf(result));
  for (const warning of warnings(result)) shell.stderr(`levelset: warning: ${warning}\n`);
  shell.stdout(to.output === "json" ? jsonText(resultJson(result, failures)) : resultText(result, failures));
  if (to.html !== undefined) await writePage(to.html, simulationPage(file, result, failures), shell);
  if (to.writeTest !== undefined) await writeFirstTest(to.writeTest, failures, settings, result.inputs, to, shell);
}

function exitCodeOf({ failures, histories, end }: SimulatedFile): number {
  if (failures.length > 0) return EXIT_CODES.violated;
  if (end === "stopped") return EXIT_CODES.interrupted;
  return histories === 0 ? EXIT_CODES.failure : EXIT_CODES.ok;
}

function resultText(result: SimulatedFile, failures: readonly WrittenFailure[]): string {
  const stories = failures.map(({ failure, command }) => `${failureText(failure, command)}\n`);
  const end = result.end === undefined ? "" : `ended early: ${result.end}\n`;
  return `${stories.join("")}${summaryText(result, result.elapsedMs)}${end}`;
}

/**
 * The result as JSON, without times, so that equal simulations have equal results. The values of Secrets in cases are
 * masked: story files have them.
 */
export function resultJson(
  { elapsedMs: _e, failures: _f, inputs: _i, ...summary }: SimulatedFile,
  failures: readonly WrittenFailure[],
): object {
  const stories = failures.map(({ failure, story, command }) => ({
    ...shownFields(failure),
    violation: failure.violation,
    command,
    ...(story === undefined ? {} : { story }),
  }));
  return { ...summary, failures: stories };
}

function shownFields(failure: SeedFailure): object {
  if (failure.kind === "process") return { seed: failure.seed, output: failure.output };
  const { kind: _k, violation: _v, shownCase, ...fields } = failure;
  return { ...fields, case: shownCase };
}

/** Writes a page, and reports its path. */
export async function writePage(path: string, html: string, shell: Shell): Promise<void> {
  await writeText(resolve(shell.cwd, path), html, { shown: path });
  shell.stderr(`page: ${path}\n`);
}

async function writeFirstTest(
  path: string,
  failures: readonly WrittenFailure[],
  settings: SimulateSettings,
  inputs: SimulationInputs,
  { force }: OutputSettings,
  shell: Shell,
): Promise<void> {
  const first = failures.map(({ failure }) => failure).find((failure) => failure.kind === "case");
  if (first === undefined) return shell.stderr("levelset: warning: no test was written: there is no case to replay\n");
  await writeCheckedTest({ violation: first.violation, case: first.case }, path, settings, inputs, force, shell);
}

/** Writes a test of a violated rule, and warns if the test would pass: a test evaluates modules once. */
export async function writeCheckedTest(
  story: Pick<Parameters<typeof writeTest>[0], "violation" | "case">,
  path: string,
  settings: SimulateSettings,
  inputs: SimulationInputs,
  force: boolean,
  shell: Shell,
): Promise<void> {
  await writeTest({ ...story, file: settings.file }, inputs, { path, force, cwd: shell.cwd });
  shell.stderr(`test: ${path}\n`);
  if (shell.signal().aborted) return;
  const again = await replayFile(story, { ...settings, isShared: true }, { ...shell, stderr: () => {} });
  if (again.violation !== undefined) return;
  shell.stderr(
    `levelset: warning: ${path} passes although the rule is violated: the bug is in module state, which a test shares\n`,
  );
}
