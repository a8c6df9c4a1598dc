import { decideState } from "@levelset/core/internal";
import type { ObjectState } from "@levelset/core";
import {
  describeDuration,
  escapeControlChars,
  formatLine,
  formatStyled,
  formatTable,
  STATE_STYLES,
} from "../terminal/index.ts";
import type { LineOptions, StyledText } from "../terminal/index.ts";
import type { AdapterExplanation, ResourceExplanation } from "./explain-resource.ts";

/** Options of {@link whyText}. */
export interface WhyTextOptions extends LineOptions {
  readonly now: number;
}

/** Formats an explanation: the state, then one line per adapter with its result and next pulse. */
export function whyText(explanation: ResourceExplanation, options: WhyTextOptions): string {
  const rows = explanation.adapters.map((adapter) => adapterRow(adapter, explanation, options.now));
  const lines = [
    headline(explanation, options),
    ...formatTable(rows, options).map((text) => `  ${text}`),
    ...childLines(explanation),
    ...flappingLines(explanation, options),
    formatStyled(
      {
        text: `  last change: ${escapeControlChars(explanation.changed.by)}, ${ago(explanation.changed.time, options)}`,
        style: "faint",
      },
      options.colors,
    ),
  ];
  return lines.map((text) => `${text}\n`).join("");
}

function headline(explanation: ResourceExplanation, options: WhyTextOptions): string {
  const { kind, name, generation, runsAt } = explanation;
  const available = runsAt === undefined ? "not available" : `available at ${runsAt}`;
  const generations =
    explanation.adapters.length === 0 ? `generation ${generation}` : `generation ${generation}, ${available}`;
  return formatLine(
    [
      { text: `${kind} ${name}`, style: "strong" },
      stateText(explanation, options),
      { text: generations, style: "plain" },
    ],
    options,
  );
}

function stateText(explanation: ResourceExplanation, options: WhyTextOptions): StyledText {
  const { deleting, adapters, readySince } = explanation;
  if (deleting !== undefined) {
    return {
      text: `Deleting for ${span(deleting.since, options)}, by ${escapeControlChars(deleting.by)}`,
      style: "busy",
    };
  }
  if (adapters.length === 0) return { text: "Ready: the kind has no required adapters", style: "good" };
  const since = readySince === undefined ? "" : ` for ${span(readySince, options)}`;
  const state = stateOf(explanation);
  return { text: `${state}${since}`, style: STATE_STYLES[state] };
}

/** Returns the state of a resource. Progress reports count too; a list of resources does not have them. */
function stateOf({ isReady, adapters }: ResourceExplanation): ObjectState {
  const hasFailed = adapters.some(({ state }) => state === "failed");
  return decideState({
    readiness: isReady ? "ready" : "progressing",
    isReported: isReady || adapters.some(({ state, progress }) => state !== "silent" || progress !== undefined),
    // Adapters retry, so a failed adapter needs no person to act.
    ...(hasFailed ? { ready: { status: "False", severity: "Warning", reason: "AdapterFailed" } } : {}),
  });
}

function adapterRow(
  adapter: AdapterExplanation,
  { generation, deleting, isReady }: ResourceExplanation,
  now: number,
): readonly StyledText[] {
  const [state, texts] = resultTexts(adapter, { generation, isDeleting: deleting !== undefined, now });
  return [
    { text: adapter.adapter, style: "plain" },
    state,
    {
      text: [
        ...texts,
        ...progressTexts(adapter, now),
        ...(isReady || adapter.state === "done" ? [] : pulseTexts(adapter, now)),
      ].join("; "),
      style: "plain",
    },
  ];
}

function pulseTexts({ askedAgain }: AdapterExplanation, now: number): readonly string[] {
  if (askedAgain === undefined) return [];
  return [askedAgain <= now ? "next pulse now" : `next pulse in ${describeDuration(askedAgain - now)}`];
}

function resultTexts(
  adapter: AdapterExplanation,
  about: { readonly generation: number; readonly isDeleting: boolean; readonly now: number },
): readonly [StyledText, readonly string[]] {
  const { generation, isDeleting, now } = about;
  const since = describeDuration(now - adapter.since);
  switch (adapter.state) {
    case "done":
      return [{ text: `✓ ${generation}`, style: "good" }, [`${isDeleting ? "finalized" : "reported"} ${since} ago`]];
    case "failed": {
      const cause = [adapter.reason, adapter.message].filter((text) => text !== undefined && text !== "").join(": ");
      const otherwise = isDeleting ? "not finalized" : "no reason reported";
      const style = isDeleting ? "busy" : "bad";
      return [
        { text: `${isDeleting ? "…" : "✗"} ${generation}`, style },
        [`${escapeControlChars(cause) || otherwise}, for ${since}`],
      ];
    }
    case "behind":
      return [
        { text: `… ${adapter.generation} → ${generation}`, style: "busy" },
        [`no result for generation ${generation} yet (${since})`],
      ];
    case "silent":
      return [{ text: `… → ${generation}`, style: "busy" }, [`no result yet (${since})`]];
    default:
      return adapter.state satisfies never;
  }
}

function progressTexts({ progress }: AdapterExplanation, now: number): readonly string[] {
  if (progress === undefined) return [];
  const cause = [progress.reason, progress.message].filter((text) => text !== undefined && text !== "").join(": ");
  const text = escapeControlChars(cause);
  const state = progress.isHealthy ? "last report" : "adapter error";
  return [`${state} ${describeDuration(now - progress.time)} ago${text === "" ? "" : `: ${text}`}`];
}

function flappingLines({ flapping }: ResourceExplanation, { colors }: WhyTextOptions): readonly string[] {
  return flapping === undefined
    ? []
    : [formatStyled({ text: `  Flapping: ${escapeControlChars(flapping)}`, style: "bad" }, colors)];
}

function childLines({ children }: ResourceExplanation): readonly string[] {
  if (children.length === 0) return [];
  const names = children.map(
    ({ kind, name, deleting }) => `${kind.toLowerCase()}/${name}${deleting ? "" : " (not being deleted)"}`,
  );
  const shown = names.slice(0, 10).join(", ");
  return [`  waiting for child resources: ${shown}${names.length > 10 ? ` and ${names.length - 10} more` : ""}`];
}

function span(time: number, { now }: WhyTextOptions): string {
  return describeDuration(now - time);
}

function ago(time: number, options: WhyTextOptions): string {
  return `${span(time, options)} ago`;
}
