import type { RunJson, RunResult, StepJson } from "@levelset/operator/internal";
import { escapeControlChars, formatStyled, wrap } from "../terminal/index.ts";
import type { StyledText, TextStyle } from "../terminal/index.ts";

/** Options of {@link traceText}. */
export interface TraceTextOptions {
  readonly columns?: number | undefined;
  readonly colors: boolean;
}

const INDENT = " ".repeat(8);

const STYLES: Readonly<Record<RunResult, TextStyle>> = {
  ok: "good",
  wait: "busy",
  requeueAfter: "busy",
  again: "busy",
  fail: "bad",
  terminal: "bad",
  gone: "plain",
};

/** Formats a run: number, time, triggers, duration, step results and writes. */
export function traceText(run: RunJson, options: TraceTextOptions): string {
  const { colors, columns = Number.POSITIVE_INFINITY } = options;
  const { number, startedAt, reasons, waitedMs, durationMs } = run;
  const head = `run ${number}`.padEnd(INDENT.length - 1);
  const cause = reasons.length === 0 ? "" : `because ${escapeControlChars(reasons.join(", "))}`;
  const [first = "", ...more] = wrap(
    [cause, `waited ${waitedMs} ms`, `${durationMs} ms`].join(" · "),
    Math.max(30, columns - 22),
  );
  const lines = [
    `${formatStyled({ text: head, style: "strong" }, colors)} ${clockTime(startedAt)}  ${first}`,
    ...more.map((text) => INDENT + text),
    INDENT +
      resultSpans(run)
        .map((span) => formatStyled(span, colors))
        .join(""),
    ...run.steps.flatMap(({ step, message }) => (message === undefined ? [] : messageLines(step, message, columns))),
    ...runErrors(run).flatMap((message) => messageLines(run.result, message, columns)),
  ];
  return lines.map((line) => `${line.trimEnd()}\n`).join("");
}

function resultSpans({ steps, result, writes }: RunJson): readonly StyledText[] {
  const written = writes === 0 ? "nothing written" : `${writes} ${writes === 1 ? "write" : "writes"}`;
  const done = steps.length === 0 ? [{ text: result, style: STYLES[result] }] : steps.flatMap(stepSpans);
  return [...done, { text: `${steps.length === 0 ? "  " : ""}→ ${written}`, style: "plain" }];
}

function stepSpans({ step, phase, result, durationMs }: StepJson): readonly StyledText[] {
  return [
    { text: `${step}${phase === "do" ? "" : ` ${phase}`} `, style: "plain" },
    { text: result, style: STYLES[result] },
    // Durations are whole milliseconds; most steps take less.
    { text: durationMs === 0 ? "  " : ` ${durationMs} ms  `, style: "faint" },
  ];
}

/** Returns the error of a run whose steps all succeeded, such as a refused status update. */
function runErrors({ message, result, steps }: RunJson): readonly string[] {
  const isFailure = result === "fail" || result === "terminal";
  return message === undefined || !isFailure || steps.some((each) => each.result === result) ? [] : [message];
}

function messageLines(step: string, message: string, columns: number): readonly string[] {
  const lines = wrap(`${step}: ${escapeControlChars(message)}`, Math.max(30, columns - INDENT.length - 2));
  return lines.map((line) => `${INDENT}  ${line}`);
}

/** Formats the local time of day with milliseconds. */
function clockTime(time: string): string {
  const date = new Date(time);
  return `${date.toTimeString().slice(0, 8)}.${String(date.getMilliseconds()).padStart(3, "0")}`;
}
