import { truncateText } from "../json/index.ts";
import { INIT } from "./condition.ts";
import type { ConditionUpdate } from "./condition.ts";
import { MESSAGE_MAX } from "./condition-message.ts";
import { severityRank } from "./ready.ts";

/**
 * Combines two updates of one condition: the worse one, or the first with the messages of both if they are equally bad.
 * An update that only states that the condition was not checked yet has no message to keep.
 */
export function combineConditionUpdates(first: ConditionUpdate, second: ConditionUpdate): ConditionUpdate {
  const difference = severityRank(second) - severityRank(first);
  const isInitial = first.status === "Unknown" && first.reason === INIT;
  if (difference < 0 || (difference === 0 && isInitial)) return second;
  if (difference > 0 || first.status === "True") return first;
  return { ...first, message: joinMessages([first.message, second.message], MESSAGE_MAX) };
}

const SEPARATOR = "; ";

/**
 * Joins messages in their order, each once, to at most `max` UTF-16 code units. If they are longer, each is cut to an
 * equal share, so that none hides the others. A message that is part of another one is not repeated.
 */
export function joinMessages(messages: readonly string[], max: number): string {
  const distinct = messages.filter((message, at) => message !== "" && !messages.some(repeats(message, at)));
  const joined = distinct.join(SEPARATOR);
  if (joined.length <= max) return joined;
  const share = Math.max(0, Math.floor((max - SEPARATOR.length * (distinct.length - 1)) / distinct.length) - 1);
  const cut = distinct.map((message) => (message.length <= share ? message : `${truncateText(message, share)}…`));
  return truncateText(cut.join(SEPARATOR), max);
}

/** Returns whether another message makes the one at a position redundant: an equal one before it, or a longer one. */
function repeats(message: string, at: number): (other: string, index: number) => boolean {
  const part = `${SEPARATOR}${message}${SEPARATOR}`;
  return (other, index) => (other === message ? index < at : `${SEPARATOR}${other}${SEPARATOR}`.includes(part));
}
