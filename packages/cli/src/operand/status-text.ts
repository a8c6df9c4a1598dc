import { findCondition, generationState, isReady } from "@levelset/core";
import type { ObjectOf } from "@levelset/core";
import type { InspectedItem, Inspection, Operand } from "@levelset/operator";
import { printable } from "../paint.ts";
import type { Span, Style } from "../paint.ts";
import { progressBar } from "./progress-bar.ts";
import { placeOf, refText } from "./ref-text.ts";
import { line, table } from "../table.ts";
import type { LineOptions } from "../table.ts";

/** What a status is printed from. */
export interface OperandView {
  readonly operand: ObjectOf<typeof Operand>;
  readonly inspection: Inspection;
}

/** How a status is printed: with bars where the width of a terminal is known. */
export interface StatusTextOptions extends LineOptions {
  /** Whether objects that are ready have a line too. */
  readonly all: boolean;
}

const BAR_WIDTH = 15;

/** Where an Operand stands: one line, then a line for each object that is not as it should be, then what is still to be pruned. */
export function statusText(view: OperandView, options: StatusTextOptions): string {
  const lines = [headline(view, options), ...objectLines(view, options), ...pendingLines(view, options)];
  return lines.map((line) => `${line}\n`).join("");
}

/** Where an Operand stands, in one line: how many objects are applied and ready, how many went if any did, and what is waited for. */
export function headline({ operand, inspection }: OperandView, options: StatusTextOptions): string {
  const { name, generation = 0 } = operand.metadata;
  const { columns } = options;
  const [state, style] = stateOf(operand);
  const parts: Span[] = [
    { text: name, style: "strong" },
    { text: `generation ${generation}`, style: "plain" },
    { text: state, style },
  ];
  if (inspection.kind === "set") {
    const { items, pruned, dropped } = inspection;
    const gauge = (word: string, done: number, total: number = items.length): Span => {
      const bar = columns === undefined ? "" : `${progressBar(done, total, BAR_WIDTH)} `;
      return { text: `${word} ${bar}${done}/${total}`, style: done === total ? "good" : "busy" };
    };
    parts.push(gauge("applied", items.filter(isApplied).length), gauge("ready", items.filter(isItemReady).length));
    if (dropped > 0) parts.push(gauge("pruned", pruned, dropped));
  }
  const waiting = waitingFor(operand, inspection);
  if (waiting !== undefined) parts.push({ text: `waiting: ${printable(waiting)}`, style: "plain" });
  return line(parts, options);
}

/** What to do about an Operand that nobody looks at. */
export const UNSEEN = "nobody has looked at this generation yet: is levelset operand run at work?";

/** Whether the operators have looked at what is asked for now. */
export function isSeen(operand: OperandView["operand"]): boolean {
  return generationState(operand) === "current";
}

function stateOf(operand: OperandView["operand"]): readonly [string, Style] {
  if (operand.metadata.deletionTimestamp !== undefined) return ["Deleting", "busy"];
  if (!isSeen(operand)) return ["not seen yet", "busy"];
  const phase = operand.status?.phase ?? "Unknown";
  if (isReady(operand)) return [phase, "good"];
  // The word is of the generation before until the first pass over this one.
  if (phase === "Ready") return ["Installing", "busy"];
  return [phase, phase === "Failed" || phase === "Invalid" ? "bad" : "busy"];
}

/** What an Operand waits for, in a few words; undefined when it waits for nothing. */
function waitingFor(operand: OperandView["operand"], inspection: Inspection): string | undefined {
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
  return unmet?.reason === "Incomplete" ? undefined : unmet?.message;
}

function objectLines({ operand, inspection }: OperandView, options: StatusTextOptions): readonly string[] {
  if (inspection.kind === "invalid") {
    return inspection.problems.map((problem) => note(`  ✗ ${printable(problem)}`, options));
  }
  const shown = inspection.items.filter((item) => options.all || !isDone(item));
  const folded = inspection.items.length - shown.length;
  const rest = folded > 0 && shown.length > 0 ? [note(`  … and ${folded} ready`, options)] : [];
  return [
    ...table(shown.map(itemRow), options),
    ...rest,
    ...stalledLines(operand, options),
    ...unseenLines(operand, options),
  ];
}

function note(text: string, options: StatusTextOptions): string {
  return line([{ text, style: "plain" }], options);
}

function itemRow(item: InspectedItem): readonly Span[] {
  const [sign, style] = lookOf(item);
  return [
    { text: `  ${sign} ${printable(item.ref.kind)}`, style },
    { text: placeOf(item.ref), style },
    { text: item.state === "differs" ? "to be changed" : item.state, style: "plain" },
    { text: printable(isDone(item) ? "ready" : (item.message ?? "")), style: "plain" },
  ];
}

function lookOf(item: InspectedItem): readonly [string, Style] {
  if (isDone(item)) return ["✓", "good"];
  return item.readiness.kind === "failed" ? ["✗", "bad"] : ["…", "busy"];
}

function stalledLines({ status }: OperandView["operand"], options: StatusTextOptions): readonly string[] {
  const stalled = findCondition(status?.conditions, "Stalled");
  return stalled?.status === "True" ? [note(`  stalled: ${printable(stalled.message)}`, options)] : [];
}

function unseenLines(operand: OperandView["operand"], options: StatusTextOptions): readonly string[] {
  return isSeen(operand) ? [] : [note(`  ${UNSEEN}`, options)];
}

function pendingLines({ operand }: OperandView, options: StatusTextOptions): readonly string[] {
  const pending = operand.status?.pending ?? [];
  return pending.map(({ reason, message, due, ...ref }) => {
    const confirm = `waits for: levelset operand confirm ${operand.metadata.name}`;
    const why = reason === "Confirm" ? confirm : printable(message ?? reason);
    return note(`  - ${refText(ref)}  ${due === undefined ? why : `goes at ${due}`}`, options);
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
