import { storyHtml } from "@levelset/simulation/internal";
import type { CoverageRow, PageStory } from "@levelset/simulation/internal";
import type { CoveredSet } from "@levelset/simulation";
import type { SimulationSummary } from "./simulation-summary.ts";
import { countsText, headline, occurredFaults, shareText, warnings } from "./simulation-text.ts";
import type { SeedFailure } from "./worker-message.ts";

/** A failure, and the command that replays it. */
export interface ReplayableFailure {
  readonly failure: SeedFailure;
  readonly command: string;
}

/** Returns the page about a simulation. */
export function simulationPage(
  file: string,
  summary: SimulationSummary,
  failures: readonly ReplayableFailure[],
): string {
  const { phases, fields, phaseFaults, operations } = summary.coverage;
  const coverage = [
    coveredRow("phases", phases),
    coveredRow("fields", fields),
    coveredRow("faults", occurredFaults(summary.coverage)),
    { name: "phases × faults", covered: shareText(phaseFaults), missing: [] },
    { name: "operations", covered: countsText(operations), missing: [] },
  ];
  const stories = failures.map(pageStory);
  return storyHtml({ file, summary: headline(summary), stories, coverage, warnings: warnings(summary) });
}

function coveredRow(name: string, { covered, missing }: CoveredSet): CoverageRow {
  return { name, covered: `${covered.length}/${covered.length + missing.length}`, missing };
}

function pageStory({ failure, command }: ReplayableFailure): PageStory {
  const { seed, violation } = failure;
  if (failure.kind === "process")
    return { seed, violation, events: [], operations: [], command, output: failure.output };
  return { ...failure, operations: failure.case.history.operations, command };
}
