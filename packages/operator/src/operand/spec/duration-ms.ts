import { parseGoDuration } from "@levelset/core/schema";

/** Returns a duration such as `90s` in milliseconds; undefined if it is invalid. */
export function durationMs(text: string): number | undefined {
  const nanoseconds = parseGoDuration(text);
  return nanoseconds === undefined ? undefined : Number(nanoseconds / 1_000_000n);
}
