import { oracleOf } from "../violation/index.ts";
import type { Difference, Violation } from "../violation/index.ts";
import type { Case, RunResult, StoryEvent } from "../run/index.ts";

/** A failure as a story needs it. */
export interface StoryMaterial {
  readonly seed: number;
  readonly violation: Violation;
  readonly case: Case;
  readonly run: Pick<RunResult, "events">;
}

const DIFFERENCES_MAX = 12;
const EVENTS_MAX = 60;
const LABELS: Readonly<Record<StoryEvent["kind"], string>> = {
  operation: "",
  fault: "FAULT ",
  write: "· ",
  status: "· ",
  process: "",
};

/** Returns the story of a failure: what was found, what was expected, what happened, and the difference. */
export function storyText({ seed, violation, run, case: { faults } }: StoryMaterial): string {
  const { rule, message, expected, differences = [] } = violation;
  return [
    `${rule} (${oracleOf(violation)}), seed ${seed}`,
    `  found     ${message}`,
    `  expected  ${expected}`,
    "",
    `What happened${faults.length === 0 ? " (no fault is needed)" : ""}:`,
    ...eventLines(run.events),
    ...(differences.length === 0 ? [] : ["", "Difference (- expected, + found):", ...differenceLines(differences)]),
  ].join("\n");
}

function eventLines(events: readonly StoryEvent[]): readonly string[] {
  const shown = events.slice(0, EVENTS_MAX);
  const left = events.length - shown.length;
  return [
    ...shown.map(({ atMs, kind, text }) => `  ${formatTime(atMs).padStart(10)}  ${LABELS[kind]}${text}`),
    ...(left > 0 ? [`              and ${left} more events`] : []),
  ];
}

function differenceLines(differences: readonly Difference[]): readonly string[] {
  const shown = differences.slice(0, DIFFERENCES_MAX);
  const objects = [...new Set(shown.map(({ object }) => object))];
  const left = differences.length - shown.length;
  return [
    ...objects.flatMap((object) => [
      `  ${object}`,
      ...shown
        .filter((each) => each.object === object)
        .flatMap(({ path, expected, actual }) => [
          ...(expected === undefined ? [] : [`    - ${path === "" ? "" : `${path}: `}${expected}`]),
          ...(actual === undefined ? [] : [`    + ${path === "" ? "" : `${path}: `}${actual}`]),
        ]),
    ]),
    ...(left > 0 ? [`  and ${left} more`] : []),
  ];
}

/** Formats virtual time: `1m 30s`. */
export function formatTime(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = Math.floor(ms / 1000);
  const [days, hours, minutes] = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3600) % 24,
    Math.floor(seconds / 60) % 60,
  ];
  const parts = [
    [days, "d"],
    [hours, "h"],
    [minutes, "m"],
    [seconds % 60, "s"],
  ] as const;
  return parts
    .filter(([count]) => count > 0)
    .slice(0, 2)
    .map(([count, unit]) => `${count}${unit}`)
    .join(" ");
}
