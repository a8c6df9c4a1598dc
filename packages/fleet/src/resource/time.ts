import { parseRfc3339 } from "@levelset/core/internal";

/**
 * Parses an RFC 3339 time to milliseconds since 1970; undefined if invalid. All fleet times are whole milliseconds, so
 * that both stores keep them exactly; finer digits are truncated.
 */
export function parseTime(text: string): number | undefined {
  const parsed = parseRfc3339(text);
  if (parsed === undefined) return undefined;
  const ms = Number(parsed.seconds) * 1_000 + Math.floor(parsed.nanos / 1_000_000);
  // Outside the range of Date, it could not be formatted again.
  return Math.abs(ms) > 8.64e15 ? undefined : ms;
}

/** Formats a time for the wire. */
export function timeText(ms: number): string {
  return new Date(ms).toISOString();
}
