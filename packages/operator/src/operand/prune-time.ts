import { parseGoDuration } from "@levelset/core";

/** When an object goes that is let go of now, in milliseconds since the epoch. A duration that cannot be read is none. */
export function pruneTime(after: string, now: number): number {
  return now + Number((parseGoDuration(after) ?? 0n) / 1_000_000n);
}
