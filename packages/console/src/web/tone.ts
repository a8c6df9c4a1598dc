import type { ConditionStatus } from "@levelset/core";
import type { ObjectNode } from "@levelset/operator";
import type { ConditionState, RunResult } from "@levelset/operator/internal";
import type { DisplayState, OperandItem } from "../api/index.ts";

/** Display tone of a state. Each tone has its own symbol, so that no state depends on colour alone. */
export type Tone = "good" | "busy" | "bad" | "faint" | "deleting";

/** Symbol of each tone. */
export const TONE_SYMBOLS: Readonly<Record<Tone, string>> = {
  good: "✓",
  busy: "…",
  bad: "✗",
  faint: "·",
  deleting: "⌫",
};

/** States of objects, conditions, Operand items and adapters. */
type ShownState = DisplayState | ObjectNode["state"] | ConditionState | OperandItem["state"] | OperandItem["health"];

const TONES: Readonly<Record<string, Tone>> = {
  ready: "good",
  done: "good",
  ok: "good",
  applied: "good",
  True: "good",
  progressing: "busy",
  pending: "faint",
  paused: "faint",
  skipped: "faint",
  waiting: "busy",
  wait: "busy",
  requeueAfter: "busy",
  again: "busy",
  unknown: "busy",
  Unknown: "busy",
  differs: "busy",
  False: "bad",
  degraded: "bad",
  failing: "bad",
  failed: "bad",
  fail: "bad",
  terminal: "bad",
  missing: "bad",
  unreadable: "bad",
  deleting: "deleting",
  gone: "deleting",
} satisfies Record<ShownState | ConditionStatus | RunResult, Tone>;

/** Returns the tone of a state of an object, condition, run or adapter. */
export function toneOf(state: string): Tone {
  return Object.hasOwn(TONES, state) ? (TONES[state] ?? "faint") : "faint";
}

/** Names of the states: the same as in the CLI and the documentation. */
const STATE_LABELS: Readonly<Record<string, string>> = {
  ready: "Ready",
  done: "Ready",
  applied: "Ready",
  progressing: "Progressing",
  waiting: "Progressing",
  pending: "Progressing",
  differs: "Progressing",
  degraded: "Degraded",
  failing: "Degraded",
  failed: "Failed",
  deleting: "Deleting",
  paused: "Paused",
  unknown: "Unknown",
  missing: "Unknown",
  unreadable: "Unknown",
  skipped: "Unknown",
} satisfies Record<ShownState, string>;

/** Returns the name of a state for display. Condition statuses and other values are returned unchanged. */
export function stateLabel(state: string): string {
  return Object.hasOwn(STATE_LABELS, state) ? (STATE_LABELS[state] ?? state) : state;
}

/** All states of objects and fleet resources, the most severe first. */
export const STATES: readonly DisplayState[] = [
  "failed",
  "degraded",
  "unknown",
  "progressing",
  "deleting",
  "paused",
  "ready",
];
const SEVERITY_RANK = new Map(STATES.map((state, index) => [state, index]));

/** The fields that rows are sorted by. */
export interface SortableRow {
  readonly state: DisplayState;
  readonly name: string;
  readonly since?: string | undefined;
}

/** Sorts the most severe state first; within a state, the oldest first. */
export function compareSeverity(a: SortableRow, b: SortableRow): number {
  return (
    (SEVERITY_RANK.get(a.state) ?? 0) - (SEVERITY_RANK.get(b.state) ?? 0) ||
    compareTexts(a.since ?? "", b.since ?? "") ||
    compareTexts(a.name, b.name)
  );
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
