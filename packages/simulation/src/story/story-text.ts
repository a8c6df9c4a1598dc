import { oracleOf } from "../violation/index.ts";
import type { Violation } from "../violation/index.ts";
import type { Case, RunResult, StoryEvent, WhyReport } from "../run/index.ts";
import { differenceLines } from "./difference-text.ts";
import { eventsWithViolation } from "./story-steps.ts";
import { whyLines } from "./why-lines.ts";

/** A failure as a story needs it. */
export interface StoryMaterial {
  readonly seed: number;
  readonly violation: Violation;
  readonly case: Case;
  readonly run: Pick<RunResult, "events">;
  /** When it was found, and the custom resources that it concerns. */
  readonly why?: WhyReport;
}

const EVENTS_MAX = 60;
const LABELS: Readonly<Record<StoryEvent["kind"], string>> = {
  operation: "",
  fault: "FAULT ",
  write: "· ",
  status: "· ",
  process: "",
  violation: "✗ ",
};

/** Returns the story of a failure: what was found, what was expected, what happened, why, and the difference. */
export function storyText({ seed, violation, run, why, case: { faults } }: StoryMaterial): string {
  const { rule, message, expected } = violation;
  return [
    `${rule} (${oracleOf(violation)}), seed ${seed}`,
    `  found     ${message}`,
    `  expected  ${expected}`,
    "",
    `What happened${faults.length === 0 ? " (without injected faults)" : ""}:`,
    ...eventLines(eventsWithViolation(run.events, violation, why)),
    ...evidenceLines(violation, why),
  ].join("\n");
}

/** Returns the state in which a violation was found: the explained custom resources, and the difference of the ends. */
export function evidenceLines({ differences = [] }: Violation, why: WhyReport | undefined): readonly string[] {
  const hasWhy = why !== undefined && why.objects.length > 0;
  return [
    ...(hasWhy ? ["", `${whyTitle(why)}:`, ...indented(whyText(why))] : []),
    ...(differences.length === 0
      ? []
      : ["", "Difference (- expected, + found):", ...indented(differenceLines(differences))]),
  ];
}

/** Returns the title of the explained custom resources. */
export function whyTitle({ atMs }: Pick<WhyReport, "atMs">): string {
  return `What levelset why says at ${formatTime(atMs)}`;
}

/** Returns the explained custom resources as lines. */
export function whyText(why: WhyReport): readonly string[] {
  return whyLines(why).map((line) => line.map(({ text }) => text).join(""));
}

function indented(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `  ${line}`);
}

function eventLines(events: readonly StoryEvent[]): readonly string[] {
  const shown = events.slice(0, EVENTS_MAX);
  const left = events.length - shown.length;
  return [
    ...shown.map(({ atMs, kind, text }) => `  ${formatTime(atMs).padStart(10)}  ${LABELS[kind]}${text}`),
    ...(left > 0 ? [`              and ${left} more events`] : []),
  ];
}

/** Formats virtual time: `1m 30s`, `1m 0.207s`. */
export function formatTime(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = Math.floor(Math.round(ms) / 1000);
  const [days, hours, minutes] = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3600) % 24,
    Math.floor(seconds / 60) % 60,
  ];
  const parts = [
    [days, "d"],
    [hours, "h"],
    [minutes, "m"],
    [(Math.round(ms) % 60_000) / 1000, "s"],
  ] as const;
  return parts
    .filter(([count]) => count > 0)
    .slice(0, 2)
    .map(([count, unit]) => `${count}${unit}`)
    .join(" ");
}
