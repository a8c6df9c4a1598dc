import { unreachable } from "@levelset/core/internal";
import { describeDuration, escapeControlChars, STATE_STYLES } from "../terminal/index.ts";
import type { StyledText } from "../terminal/index.ts";
import type { WaitGoal, WaitOutcome, WaitState } from "./wait-state.ts";

/** Formats a state as one line: `deployment/web  Progressing  generation 4, observed 3  1 of 3 replicas updated`. */
export function stateSpans(name: string, state: WaitState): readonly StyledText[] {
  const pieces: readonly StyledText[] = [
    { text: escapeControlChars(name), style: "strong" },
    { text: state.state, style: STATE_STYLES[state.state] },
    { text: generationText(state), style: "plain" },
    { text: messageText(state), style: "plain" },
  ];
  return pieces.filter(({ text }) => text !== "");
}

function generationText({ generation, observedGeneration }: WaitState): string {
  if (generation === undefined) return "";
  return observedGeneration === undefined
    ? `generation ${generation}`
    : `generation ${generation}, observed ${observedGeneration}`;
}

function messageText({ reason = "", message }: WaitState): string {
  const [cause, text] = [escapeControlChars(reason), escapeControlChars(message)];
  return cause === "" || text.includes(cause) ? text : `${cause}: ${text}`;
}

const REACHED: Readonly<Record<WaitGoal, string>> = {
  ready: "is Ready",
  available: "is Available",
  deleted: "is deleted",
};

/** Formats the result of one target as a sentence. */
export function resultText(name: string, state: WaitState, goal: WaitGoal): string {
  const subject = escapeControlChars(name);
  const generation = state.generation === undefined ? "" : `, generation ${state.generation}`;
  switch (state.kind) {
    case "reached":
      return `${subject} ${REACHED[goal]}${goal === "deleted" ? "" : generation}`;
    case "failed":
      return `${subject} has failed${generation}: ${messageText(state)}`;
    case "gone":
      return state.state === "Deleting"
        ? `${subject} is being deleted: ${messageText(state)}`
        : `${subject} was deleted`;
    case "waiting":
      return `${subject} ${missedText(state, goal)}${generation}: ${messageText(state)}`;
    default:
      return unreachable(state.kind);
  }
}

/** Describes a target that has not reached the goal: by its state if the goal is Ready. */
function missedText(state: WaitState, goal: WaitGoal): string {
  return goal === "ready" ? `is ${state.state}` : REACHED[goal].replace("is ", "is not ");
}

/** Returns the reason why a wait ended before its goal; empty if the goal was reached. */
export function outcomeText(outcome: WaitOutcome, timeoutMs: number): string {
  switch (outcome) {
    case "timeout":
      return `timed out after ${timeoutMs < 1_000 ? `${timeoutMs} ms` : describeDuration(timeoutMs)}`;
    case "stopped":
      return "stopped before the end";
    case "reached":
    case "failed":
    case "gone":
      return "";
    default:
      return unreachable(outcome);
  }
}
