import type { RunJson, StepJson } from "@levelset/operator";
import { printable, paint, wrap } from "./paint.ts";
import type { Span, Style } from "./paint.ts";

/** How runs are printed. */
export interface TraceTextOptions {
  readonly columns?: number | undefined;
  readonly colors: boolean;
}

const INDENT = " ".repeat(8);

const STYLES: Readonly<Record<string, Style>> = {
  ok: "good",
  wait: "busy",
  requeueAfter: "busy",
  again: "busy",
  fail: "bad",
  terminal: "bad",
};

/** One run for people: its number and time, why it was and how long it took, what each step came to, and what was written. */
export function traceText(run: RunJson, options: TraceTextOptions): string {
  const { colors, columns = Number.POSITIVE_INFINITY } = options;
  const { number, startedAt, reasons, waitedMs, durationMs } = run;
  const head = `run ${number}`.padEnd(INDENT.length - 1);
  const why = reasons.length === 0 ? "" : `because ${printable(reasons.join(", "))}`;
  const [first = "", ...more] = wrap(
    [why, `waited ${waitedMs} ms`, `${durationMs} ms`].join(" · "),
    Math.max(30, columns - 22),
  );
  const lines = [
    `${paint({ text: head, style: "strong" }, colors)} ${clockTime(startedAt)}  ${first}`,
    ...more.map((text) => INDENT + text),
    INDENT +
      outcome(run)
        .map((span) => paint(span, colors))
        .join(""),
    ...run.steps.flatMap(({ step, message }) => (message === undefined ? [] : explained(step, message, columns))),
    ...ownWords(run).flatMap((message) => explained(run.result, message, columns)),
  ];
  return lines.map((line) => `${line.trimEnd()}\n`).join("");
}

function outcome({ steps, result, writes }: RunJson): readonly Span[] {
  const written = writes === 0 ? "nothing written" : `${writes} ${writes === 1 ? "write" : "writes"}`;
  const done =
    steps.length === 0 ? [{ text: result, style: STYLES[result] ?? "plain" } as const] : steps.flatMap(stepSpans);
  return [...done, { text: `${steps.length === 0 ? "  " : ""}→ ${written}`, style: "plain" }];
}

function stepSpans({ step, phase, result, durationMs }: StepJson): readonly Span[] {
  return [
    { text: `${step}${phase === "do" ? "" : ` ${phase}`} `, style: "plain" },
    { text: result, style: STYLES[result] ?? "plain" },
    // Clocks count whole milliseconds; most steps take less.
    { text: durationMs === 0 ? "  " : ` ${durationMs} ms  `, style: "faint" },
  ];
}

/** Why the run failed though none of its steps did, such as that its status was refused. */
function ownWords({ message, result, steps }: RunJson): readonly string[] {
  const isFailure = result === "fail" || result === "terminal";
  return message === undefined || !isFailure || steps.some((each) => each.result === result) ? [] : [message];
}

function explained(step: string, message: string, columns: number): readonly string[] {
  const lines = wrap(`${step}: ${printable(message)}`, Math.max(30, columns - INDENT.length - 2));
  return lines.map((line) => `${INDENT}  ${line}`);
}

/** The time of day where the reader is, to the millisecond. */
function clockTime(time: string): string {
  const date = new Date(time);
  return `${date.toTimeString().slice(0, 8)}.${String(date.getMilliseconds()).padStart(3, "0")}`;
}
