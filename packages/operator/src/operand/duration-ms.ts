import { parseGoDuration } from "@levelset/core";

/** A duration such as `90s` in milliseconds; undefined where it cannot be read. */
export function durationMs(text: string): number | undefined {
  const nanoseconds = parseGoDuration(text);
  return nanoseconds === undefined ? undefined : Number(nanoseconds / 1_000_000n);
}
