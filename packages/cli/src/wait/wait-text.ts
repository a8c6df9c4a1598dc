import { unreachable } from "@levelset/core";
import { describeDuration } from "../duration.ts";
import { printable } from "../paint.ts";
import type { Span, Style } from "../paint.ts";
import type { WaitGoal, WaitOutcome, WaitState } from "./wait-state.ts";

const STYLES: Readonly<Record<WaitState["state"], Style>> = {
  Ready: "good",
  Progressing: "busy",
  Degraded: "bad",
  Failed: "bad",
  Deleting: "busy",
  Unknown: "busy",
};

/** A state as the pieces of one line: `deployment/web  Progressing  generation 4, observed 3  1 of 3 replicas updated`. */
export function stateSpans(name: string, state: WaitState): readonly Span[] {
  const pieces: readonly Span[] = [
    { text: printable(name), style: "strong" },
    { text: state.state, style: STYLES[state.state] },
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
  const [why, words] = [printable(reason), printable(message)];
  return why === "" || words.includes(why) ? words : `${why}: ${words}`;
}

const REACHED: Readonly<Record<WaitGoal, string>> = {
  ready: "is ready",
  available: "is available",
  deleted: "is deleted",
};

/** The result for one target as a sentence. */
export function resultText(name: string, state: WaitState, goal: WaitGoal): string {
  const subject = printable(name);
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
      return `${subject} ${REACHED[goal].replace("is ", "is not ")}${generation}: ${messageText(state)}`;
    default:
      return unreachable(state.kind);
  }
}

/** Why a wait ended that did not reach what it was for; empty for one that did. */
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
