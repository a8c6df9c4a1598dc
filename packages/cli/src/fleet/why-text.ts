import { describeDuration } from "../duration.ts";
import { paint, printable } from "../paint.ts";
import type { Span } from "../paint.ts";
import { line, table } from "../table.ts";
import type { LineOptions } from "../table.ts";
import type { AdapterFact, FleetAnswer } from "./why-facts.ts";

/** How an answer is printed. */
export interface WhyTextOptions extends LineOptions {
  readonly now: number;
}

/** Why a resource is not ready, for people: what each adapter has to say, and when it is asked again. */
export function whyText(answer: FleetAnswer, options: WhyTextOptions): string {
  const rows = answer.adapters.map((fact) => adapterRow(fact, answer, options.now));
  const lines = [
    headline(answer, options),
    ...table(rows, options).map((text) => `  ${text}`),
    ...childLines(answer),
    ...flappingLines(answer, options),
    paint(
      { text: `  last change: ${printable(answer.changed.by)}, ${ago(answer.changed.time, options)}`, style: "faint" },
      options.colors,
    ),
  ];
  return lines.map((text) => `${text}\n`).join("");
}

function headline(answer: FleetAnswer, options: WhyTextOptions): string {
  const { kind, name, generation, runsAt } = answer;
  const runs = runsAt === undefined ? "does not run" : `runs at ${runsAt}`;
  const generations = answer.adapters.length === 0 ? `generation ${generation}` : `generation ${generation}, ${runs}`;
  return line(
    [{ text: `${kind} ${name}`, style: "strong" }, verdict(answer, options), { text: generations, style: "plain" }],
    options,
  );
}

function verdict({ deleting, isReady, adapters, readySince }: FleetAnswer, options: WhyTextOptions): Span {
  if (deleting !== undefined) {
    return { text: `being deleted for ${span(deleting.since, options)}, by ${printable(deleting.by)}`, style: "busy" };
  }
  if (adapters.length === 0) return { text: "ready: no adapter has to do with it", style: "good" };
  const since = readySince === undefined ? "" : ` for ${span(readySince, options)}`;
  return isReady ? { text: `ready${since}`, style: "good" } : { text: `not ready${since}`, style: "bad" };
}

function adapterRow(fact: AdapterFact, { generation, deleting, isReady }: FleetAnswer, now: number): readonly Span[] {
  const [state, words] = stateWords(fact, { generation, isDeleting: deleting !== undefined, now });
  return [
    { text: fact.adapter, style: "plain" },
    state,
    {
      text: [
        ...words,
        ...progressWords(fact, now),
        ...(isReady || fact.state === "done" ? [] : askedWords(fact, now)),
      ].join("; "),
      style: "plain",
    },
  ];
}

function askedWords({ askedAgain }: AdapterFact, now: number): readonly string[] {
  if (askedAgain === undefined) return [];
  return [askedAgain <= now ? "is being asked again" : `asked again in ${describeDuration(askedAgain - now)}`];
}

function stateWords(
  fact: AdapterFact,
  about: { readonly generation: number; readonly isDeleting: boolean; readonly now: number },
): readonly [Span, readonly string[]] {
  const { generation, isDeleting, now } = about;
  const since = describeDuration(now - fact.since);
  switch (fact.state) {
    case "done":
      return [{ text: `✓ ${generation}`, style: "good" }, [`${isDeleting ? "finalized" : "reported"} ${since} ago`]];
    case "failed": {
      const said = [fact.reason, fact.message].filter((word) => word !== undefined && word !== "").join(": ");
      const otherwise = isDeleting ? "not finalized" : "no reason given";
      const style = isDeleting ? "busy" : "bad";
      return [
        { text: `${isDeleting ? "…" : "✗"} ${generation}`, style },
        [`${printable(said) || otherwise}, for ${since}`],
      ];
    }
    case "behind":
      return [
        { text: `… ${fact.generation} → ${generation}`, style: "busy" },
        [`has not judged generation ${generation} for ${since}`],
      ];
    case "silent":
      return [{ text: `… → ${generation}`, style: "busy" }, [`has not judged it yet, for ${since}`]];
    default:
      return fact.state satisfies never;
  }
}

function progressWords({ progress }: AdapterFact, now: number): readonly string[] {
  if (progress === undefined) return [];
  const said = [progress.reason, progress.message].filter((word) => word !== undefined && word !== "").join(": ");
  const words = printable(said);
  const state = progress.isHealthy ? "at work" : "could not judge";
  return [`${state} ${describeDuration(now - progress.time)} ago${words === "" ? "" : `: ${words}`}`];
}

function flappingLines({ flapping }: FleetAnswer, { colors }: WhyTextOptions): readonly string[] {
  return flapping === undefined ? [] : [paint({ text: `  Flapping: ${printable(flapping)}`, style: "bad" }, colors)];
}

function childLines({ children }: FleetAnswer): readonly string[] {
  if (children.length === 0) return [];
  const names = children.map(
    ({ kind, name, deleting }) => `${kind.toLowerCase()}/${name}${deleting ? "" : " (not being deleted)"}`,
  );
  const shown = names.slice(0, 10).join(", ");
  return [`  waits for what is below it: ${shown}${names.length > 10 ? ` and ${names.length - 10} more` : ""}`];
}

function span(time: number, { now }: WhyTextOptions): string {
  return describeDuration(now - time);
}

function ago(time: number, options: WhyTextOptions): string {
  return `${span(time, options)} ago`;
}
