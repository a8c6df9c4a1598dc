import type { Violation } from "../violation/index.ts";
import type { StoryEvent } from "../run/index.ts";
import { formatTime } from "./story-text.ts";
import { storySteps } from "./story-steps.ts";

/** Returns the steps of a run as numbered lines, with what the operators did under each. */
export function replayText(events: readonly StoryEvent[]): string {
  const steps = storySteps(events);
  const width = String(steps.length).length;
  return steps
    .map(({ cause, effects }, index) => {
      const number = String(index + 1).padStart(width);
      const text =
        cause === undefined ? "the process starts" : `${cause.kind === "fault" ? "FAULT " : ""}${cause.text}`;
      const lines = effects.length === 0 ? ["the operators write nothing"] : effects.map(effectText);
      return [
        `${number}. ${formatTime(cause?.atMs ?? 0).padStart(7)}  ${text}`,
        ...lines.map((line) => `${" ".repeat(width + 11)}· ${line}`),
      ].join("\n");
    })
    .join("\n");
}

function effectText({ atMs, text }: StoryEvent): string {
  return `${text} (${formatTime(atMs)})`;
}

/** Describes the result of a replay. */
export function verdictText(recorded: Pick<Violation, "rule">, found: Violation | undefined): string {
  if (found === undefined) return `${recorded.rule} is fixed: the case violates no rule.`;
  const same = found.rule === recorded.rule;
  const head = same ? `${found.rule} is violated.` : `${found.rule} is violated, and ${recorded.rule} no longer.`;
  return [head, `  found     ${found.message}`, `  expected  ${found.expected}`].join("\n");
}
