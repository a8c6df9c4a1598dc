import { findCondition, generationState, isPaused, isReady } from "@levelset/core";
import { objectState, INCOMPLETE } from "@levelset/core/internal";
import type { ObjectOf } from "@levelset/core";
import { PENDING_CONFIRMATION } from "@levelset/operator/internal";
import type { InspectedItem, Inspection } from "@levelset/operator/internal";
import type { Operand } from "@levelset/operator";
import { escapeControlChars, formatLine, formatTable, progressBar, STATE_STYLES } from "../terminal/index.ts";
import type { LineOptions, StyledText, TextStyle } from "../terminal/index.ts";
import { namespacedName, refText } from "./ref-text.ts";

/** Input of {@link statusText}. */
export interface OperandStatus {
  readonly operand: ObjectOf<typeof Operand>;
  readonly inspection: Inspection;
}

/** Options of {@link statusText}. Progress bars are printed if the terminal width is known. */
export interface StatusTextOptions extends LineOptions {
  /** Whether Ready objects are listed too. */
  readonly all: boolean;
}

const BAR_WIDTH = 15;

/** Formats a status: a summary line, the objects that are not Ready, and the pending prunes. */
export function statusText(view: OperandStatus, options: StatusTextOptions): string {
  const lines = [statusLine(view, options), ...objectLines(view, options), ...pendingLines(view, options)];
  return lines.map((line) => `${line}\n`).join("");
}

/** Formats the summary line: state, counts of applied, ready and pruned objects, and what it waits for. */
export function statusLine({ operand, inspection }: OperandStatus, options: StatusTextOptions): string {
  const { name, generation = 0 } = operand.metadata;
  const { columns } = options;
  const state = objectState(operand, { hasStatus: true, reportsReady: true });
  const parts: StyledText[] = [
    { text: name, style: "strong" },
    { text: `generation ${generation}`, style: "plain" },
    { text: state, style: STATE_STYLES[state] },
  ];
  if (inspection.kind === "set") {
    const { items, pruned, dropped } = inspection;
    const gauge = (label: string, done: number, total: number = items.length): StyledText => {
      const bar = columns === undefined ? "" : `${progressBar(done, total, BAR_WIDTH)} `;
      return { text: `${label} ${bar}${done}/${total}`, style: done === total ? "good" : "busy" };
    };
    parts.push(gauge("applied", items.filter(isApplied).length), gauge("ready", items.filter(isItemReady).length));
    if (dropped > 0) parts.push(gauge("pruned", pruned, dropped));
  }
  const waiting = waitingFor(operand, inspection);
  if (waiting !== undefined) parts.push({ text: `waiting: ${escapeControlChars(waiting)}`, style: "plain" });
  return formatLine(parts, options);
}

/** Hint for an Operand whose generation no controller has observed. */
export const NOT_OBSERVED = "not observed yet; check that levelset operand run is running";

/** Reports whether a controller has observed the latest generation. */
export function isObserved(operand: OperandStatus["operand"]): boolean {
  return generationState(operand) === "current";
}

/** Describes what an Operand waits for, or returns undefined. */
function waitingFor(operand: OperandStatus["operand"], inspection: Inspection): string | undefined {
  if (isReady(operand)) return undefined;
  if (operand.metadata.deletionTimestamp !== undefined) {
    return findCondition(operand.status?.conditions, "OperandInstalled")?.message;
  }
  if (inspection.kind === "invalid") return inspection.problems[0];
  const first = inspection.items.find((item) => !isDone(item));
  if (first !== undefined) return `${refText(first.ref)} ${first.message ?? ""}`.trim();
  const types = ["OperandInstalled", "LatestActiveOperandReady", "Ready"];
  const conditions = types.map((type) => findCondition(operand.status?.conditions, type));
  const unmet = conditions.find((condition) => condition !== undefined && condition.status !== "True");
  return unmet?.reason === INCOMPLETE ? undefined : unmet?.message;
}

function objectLines({ operand, inspection }: OperandStatus, options: StatusTextOptions): readonly string[] {
  if (inspection.kind === "invalid") {
    return inspection.problems.map((problem) => note(`  ✗ ${escapeControlChars(problem)}`, options));
  }
  const shown = inspection.items.filter((item) => options.all || !isDone(item));
  const folded = inspection.items.length - shown.length;
  const rest = folded > 0 && shown.length > 0 ? [note(`  … and ${folded} Ready`, options)] : [];
  return [
    ...formatTable(shown.map(itemRow), options),
    ...rest,
    ...stalledLines(operand, options),
    ...unobservedLines(operand, options),
  ];
}

function note(text: string, options: StatusTextOptions): string {
  return formatLine([{ text, style: "plain" }], options);
}

function itemRow(item: InspectedItem): readonly StyledText[] {
  const [sign, style] = signOf(item);
  return [
    { text: `  ${sign} ${escapeControlChars(item.ref.kind)}`, style },
    { text: namespacedName(item.ref), style },
    { text: item.state === "differs" ? "to be changed" : item.state, style: "plain" },
    { text: escapeControlChars(isDone(item) ? "Ready" : (item.message ?? "")), style: "plain" },
  ];
}

function signOf(item: InspectedItem): readonly [string, TextStyle] {
  if (isDone(item)) return ["✓", "good"];
  return item.readiness.kind === "failed" ? ["✗", "bad"] : ["…", "busy"];
}

function stalledLines({ status }: OperandStatus["operand"], options: StatusTextOptions): readonly string[] {
  const stalled = findCondition(status?.conditions, "Stalled");
  return stalled?.status === "True" ? [note(`  stalled: ${escapeControlChars(stalled.message)}`, options)] : [];
}

function unobservedLines(operand: OperandStatus["operand"], options: StatusTextOptions): readonly string[] {
  // Controllers ignore an Operand with the paused annotation.
  return isObserved(operand) || isPaused(operand) ? [] : [note(`  ${NOT_OBSERVED}`, options)];
}

function pendingLines({ operand }: OperandStatus, options: StatusTextOptions): readonly string[] {
  const pending = operand.status?.pending ?? [];
  return pending.map(({ reason, message, due, ...ref }) => {
    const confirm = `pending: levelset operand confirm ${operand.metadata.name}`;
    const why = reason === PENDING_CONFIRMATION ? confirm : escapeControlChars(message ?? reason);
    return note(`  - ${refText(ref)}  ${due === undefined ? why : `pruned at ${due}`}`, options);
  });
}

function isApplied({ state, readiness }: InspectedItem): boolean {
  return state === "applied" || (state === "missing" && readiness.kind === "ready");
}

function isItemReady({ state, readiness }: InspectedItem): boolean {
  return readiness.kind === "ready" && state !== "differs";
}

function isDone(item: InspectedItem): boolean {
  return isApplied(item) && isItemReady(item);
}
