import type { JsonObject } from "@levelset/core";
import { deepEqual } from "@levelset/core/internal";
import { namespacedName, objectDiffText, refText, summarizeChange } from "../operand/index.ts";
import { escapeControlChars, formatTable, STATE_STYLES } from "../terminal/index.ts";
import type { StyledText, TextStyle } from "../terminal/index.ts";
import type { PlannedAction } from "./planned-action.ts";
import type { PlannedObject } from "./planned-object.ts";
import type { PlanRedactor } from "./plan-redactor.ts";
import type { StatusReport } from "./status-report.ts";
import { totalsOf, totalsText } from "./plan-totals.ts";
import type { PlanProblem, UpgradePlan } from "./upgrade-plan.ts";

/** Options of {@link upgradePlanText}. */
export interface UpgradePlanTextOptions {
  readonly colors: boolean;
  /** Whether to print a diff for each object. */
  readonly diffs: boolean;
  readonly redactor: PlanRedactor;
}

const ACTION_STYLES: Readonly<Record<PlannedAction, { readonly sign: string; readonly style: TextStyle }>> = {
  create: { sign: "+", style: "good" },
  change: { sign: "~", style: "busy" },
  recreate: { sign: "±", style: "busy" },
  delete: { sign: "-", style: "bad" },
};

/** Formats a plan: a line per object, the diffs, what would be reported, problems, held-back calls, then the totals. */
export function upgradePlanText(plan: UpgradePlan, options: UpgradePlanTextOptions): string {
  const { colors, diffs, redactor } = options;
  const shown = (text: string): string => escapeControlChars(redactor.text(text));
  const sections = [
    formatTable(
      plan.objects.map((object) => objectRow(object, redactor)),
      { colors },
    ),
    diffs ? plan.objects.flatMap((object) => objectDiffs(object, options)).slice(1) : [],
    section(
      "would report:",
      plan.reports.map((report) => reportRow(report, redactor)),
      colors,
    ),
    section(
      "problems:",
      plan.problems.map((problem) => problemRow(problem, shown)),
      colors,
    ),
    plan.heldBack.map(({ verb, step, object }) => `held back: ${verb} ${step} of ${refText(object)}`),
    plan.heldBack.length === 0 ? [] : ["steps after a held-back call did not run: the plan does not include them"],
    plan.notes.map((note) => `note: ${shown(note)}`),
  ].filter((lines) => lines.length > 0);
  return [...sections.flatMap((lines) => [...lines, ""]), totalsText(totalsOf(plan))]
    .map((line) => `${line}\n`)
    .join("");
}

function section(title: string, rows: readonly (readonly StyledText[])[], colors: boolean): readonly string[] {
  return rows.length === 0 ? [] : [title, ...formatTable(rows, { colors })];
}

function objectRow(object: PlannedObject, redactor: PlanRedactor): readonly StyledText[] {
  const { sign, style } = ACTION_STYLES[object.action];
  return [
    { text: `  ${sign} ${escapeControlChars(object.ref.kind)}`, style },
    { text: namespacedName(object.ref), style },
    { text: escapeControlChars(objectNote(object, redactor)), style: "plain" },
  ];
}

function objectNote(
  { action, before, after, finalizers, restarts, runs }: PlannedObject,
  redactor: PlanRedactor,
): string {
  const notes = [
    action === "change" ? changeNote(before, after, redactor) : "",
    finalizers.length === 0 ? "" : `waits for ${finalizers.join(", ")}`,
    restarts === 0 ? "" : `would ${action === "delete" ? "stop" : "roll"} ${count(restarts, "pod")}`,
    runs ? "would run" : "",
  ];
  return notes.filter((note) => note !== "").join("; ");
}

function changeNote(before: JsonObject | undefined, after: JsonObject | undefined, redactor: PlanRedactor): string {
  const [was, is] = redactor.pair(before, after);
  if (was === undefined || is === undefined) return "";
  return deepEqual(was, is) ? "values of Secrets" : summarizeChange(was, is);
}

function objectDiffs(
  { action, ref, before, after }: PlannedObject,
  options: UpgradePlanTextOptions,
): readonly string[] {
  if (action === "delete") return [];
  const [was, is] = options.redactor.pair(before, after);
  return objectDiffText(ref, { before: was, after: is }, options.colors);
}

function reportRow({ ref, before, after, ...report }: StatusReport, redactor: PlanRedactor): readonly StyledText[] {
  const message = escapeControlChars(redactor.text(after.message));
  const isReadyChanged = before?.status !== after.status || before.reason !== after.reason;
  const fields = summarizeChange(redactor.object(report.statusBefore), redactor.object(report.statusAfter));
  return [
    { text: `  ${report.isRegression ? "✗" : " "} ${refText(ref)}`, style: report.isRegression ? "bad" : "plain" },
    { text: `Ready ${before === undefined ? "" : `${before.status} → `}${after.status}`, style: "plain" },
    { text: after.state, style: STATE_STYLES[after.state] },
    {
      text: isReadyChanged ? `${after.reason}${message === "" ? "" : `: ${message}`}` : escapeControlChars(fields),
      style: "plain",
    },
  ];
}

function problemRow(
  { ref, message, isRegression }: PlanProblem,
  shown: (text: string) => string,
): readonly StyledText[] {
  const style = isRegression ? "bad" : "plain";
  return [
    { text: `  ${isRegression ? "✗" : " "} ${ref === undefined ? "operator" : refText(ref)}`, style },
    { text: shown(message), style: "plain" },
  ];
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
