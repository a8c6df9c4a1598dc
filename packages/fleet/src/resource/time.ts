import { parseRfc3339 } from "@levelset/core";

/**
 * A moment of RFC 3339 in milliseconds since 1970; undefined if the text is none. The fleet's times are whole milliseconds
 * everywhere, so that both stores keep them exactly; what is finer is cut off.
 */
export function parseTime(text: string): number | undefined {
  const moment = parseRfc3339(text);
  if (moment === undefined) return undefined;
  const ms = Number(moment.seconds) * 1_000 + Math.floor(moment.nanos / 1_000_000);
  // Beyond what a date can hold, where it could not be written again.
  return Math.abs(ms) > 8.64e15 ? undefined : ms;
}

/** A moment as the wire has it. */
export function timeText(ms: number): string {
  return new Date(ms).toISOString();
}
