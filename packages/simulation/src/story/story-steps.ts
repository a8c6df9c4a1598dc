import type { StoryEvent, WhyReport } from "../run/index.ts";
import type { Violation } from "../violation/index.ts";

/** An operation, a fault or a change of processes, and what the operators did until the next one. */
export interface StoryStep {
  /** Absent if operators acted before the first operation. */
  readonly cause: StoryEvent | undefined;
  readonly effects: readonly StoryEvent[];
}

/** Groups the events of a run by their causes, in their order. */
export function storySteps(events: readonly StoryEvent[]): readonly StoryStep[] {
  const steps: { cause: StoryEvent | undefined; effects: StoryEvent[] }[] = [];
  for (const event of events) {
    const last = steps.at(-1);
    if (isCause(event)) steps.push({ cause: event, effects: [] });
    else if (last === undefined) steps.push({ cause: undefined, effects: [event] });
    else last.effects.push(event);
  }
  return steps;
}

function isCause({ kind }: StoryEvent): boolean {
  return kind === "operation" || kind === "fault" || kind === "process";
}

/** Returns the events until a violation was found; all if that is not known. */
export function eventsUntil(events: readonly StoryEvent[], why: WhyReport | undefined): readonly StoryEvent[] {
  return why === undefined ? events : events.slice(0, why.events);
}

/** Returns the events until a violation was found, and the violation as the last one. */
export function eventsWithViolation(
  events: readonly StoryEvent[],
  { rule }: Pick<Violation, "rule">,
  why: WhyReport | undefined,
): readonly StoryEvent[] {
  if (why === undefined) return events;
  return [...eventsUntil(events, why), { atMs: why.atMs, kind: "violation", text: `${rule} is violated` }];
}
