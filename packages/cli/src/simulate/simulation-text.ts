import type { Coverage, CoveredSet, CoveredShare } from "@levelset/simulation";
import { oracleOf, storyText } from "@levelset/simulation/internal";
import { rate } from "./simulation-progress.ts";
import type { SimulationSummary } from "./simulation-summary.ts";
import type { SeedFailure } from "./worker-message.ts";

/** Names of a coverage set that are printed. */
const MISSING_MAX = 5;
/** Length of the longest name of a line about coverage. */
const COVERAGE_NAME_MAX = 15;
/** Lines of the output of a process that are printed. */
const OUTPUT_LINES_MAX = 20;

/** Formats a failure: its story, and the command that shows it again. */
export function failureText(failure: SeedFailure, command: string): string {
  return `${printable(storyOf(failure))}\n\nreplay: ${command}\n`;
}

function storyOf(failure: SeedFailure): string {
  const { seed, violation } = failure;
  if (failure.kind === "case") return storyText({ ...failure, run: failure });
  const lines = failure.output.trimEnd().split("\n").slice(-OUTPUT_LINES_MAX);
  return [
    `${violation.rule} (${oracleOf(violation)}), seed ${seed}`,
    `  found     ${violation.message}`,
    `  expected  ${violation.expected}`,
    ...(failure.output.trim() === "" ? [] : ["", "Output of the process:", ...lines.map((line) => `  ${line}`)]),
  ].join("\n");
}

/** Returns the result in a few words: `412 histories in 1236 worlds, no failure`. */
export function headline({ histories, worlds, failures }: SimulationSummary): string {
  const found = failures.length === 0 ? "no failure" : plural(failures.length, "failure");
  return `${plural(histories, "history")} in ${plural(worlds, "world")}, ${found}`;
}

/** Formats the summary of a simulation. */
export function summaryText(summary: SimulationSummary, elapsedMs: number): string {
  const { histories, coverage } = summary;
  return printable(
    [
      `${headline(summary)}, ${rate(histories, elapsedMs)}/s`,
      "",
      "Covered:",
      ...setLines("phases", coverage.phases),
      ...setLines("fields", coverage.fields),
      ...setLines("faults", occurredFaults(coverage)),
      coverageLine("phases × faults", shareText(coverage.phaseFaults)),
      coverageLine("operations", countsText(coverage.operations)),
      "",
    ].join("\n"),
  );
}

/** Returns what a user should know about the program, one line each. */
export function warnings(summary: SimulationSummary): readonly string[] {
  const { neverReady, network, isShared, histories, failures, coverage } = summary;
  return [
    ...(histories > 0 && coverage.phases.covered.length === 0 && coverage.phases.missing.length > 0
      ? ["no step ran in any history: pass samples that the operator reconciles"]
      : []),
    ...(histories === 0 && failures.length === 0
      ? ["no history has finished: raise the time limit, or look for a step that never returns"]
      : []),
    ...neverReady.map((kind) => `no sample of ${kind} became Ready: most rules need one; pass --samples`),
    ...(network.length === 0
      ? []
      : [
          `the operator tried to reach ${shortList(network)}: a simulation has no network; pass a double, see the guide`,
        ]),
    ...(isShared
      ? ["a module uses top-level await: module state survives simulated restarts, and such bugs are not found"]
      : []),
  ].map((line) => printable(line));
}

function setLines(name: string, { covered, missing }: CoveredSet): readonly string[] {
  const share = `${covered.length}/${covered.length + missing.length}`;
  return [coverageLine(name, `${share}${missing.length === 0 ? "" : `, missing: ${shortList(missing)}`}`)];
}

function coverageLine(name: string, text: string): string {
  return `  ${name.padEnd(COVERAGE_NAME_MAX)}  ${text}`;
}

function shortList(texts: readonly string[]): string {
  const left = texts.length - MISSING_MAX;
  return `${texts.slice(0, MISSING_MAX).join(", ")}${left > 0 ? ` and ${left} more` : ""}`;
}

/** Returns which faults have occurred. */
export function occurredFaults({ faults }: Coverage): CoveredSet {
  const { covered = [], missing = [] } = Object.groupBy(Object.keys(faults), (name) =>
    faults[name] === 0 ? "missing" : "covered",
  );
  return { covered, missing };
}

/** Formats a share: `31/54`. */
export function shareText({ covered, total }: CoveredShare): string {
  return `${covered}/${total}`;
}

/** Formats counts by name, the highest first. */
export function countsText(counts: Readonly<Partial<Record<string, number>>>): string {
  const entries = Object.entries(counts).toSorted(
    ([nameA, a = 0], [nameB, b = 0]) => b - a || (nameA < nameB ? -1 : 1),
  );
  return entries.length === 0 ? "none" : entries.map(([name, count]) => `${name} ${count}`).join(", ");
}

function plural(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : `${noun}s`}`;
}

/**
 * Replaces characters that could control the terminal: specs are text of other people. Keeps the lines, and unassigned
 * characters, because their number depends on the version of Node.
 */
export function printable(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n]|[\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu, " ");
}
