/** Units of durations with their upper limits. */
const UNITS = [
  { name: "s", ms: 1_000, below: 120 },
  { name: "min", ms: 60_000, below: 120 },
  { name: "h", ms: 3_600_000, below: 48 },
  { name: "d", ms: 86_400_000, below: Number.POSITIVE_INFINITY },
] as const;

/** Formats a duration in one unit: `41 s`, `3 min`, `5 h`, `9 d`. Negative durations (clock skew) count as 0. */
export function describeDuration(ms: number): string {
  const span = Math.max(0, ms);
  const unit = UNITS.find((each) => span < each.ms * each.below) ?? UNITS[3];
  return `${Math.floor(span / unit.ms)} ${unit.name}`;
}
