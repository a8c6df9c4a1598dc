/** The units of durations, and up to where the next larger one says too little. */
const UNITS = [
  { name: "s", ms: 1_000, below: 120 },
  { name: "min", ms: 60_000, below: 120 },
  { name: "h", ms: 3_600_000, below: 48 },
  { name: "d", ms: 86_400_000, below: Number.POSITIVE_INFINITY },
] as const;

/** A time span for people, in one unit: `41 s`, `3 min`, `5 h`, `9 d`. Clocks differ, so what lies ahead counts as now. */
export function describeDuration(ms: number): string {
  const span = Math.max(0, ms);
  const unit = UNITS.find((each) => span < each.ms * each.below) ?? UNITS[3];
  return `${Math.floor(span / unit.ms)} ${unit.name}`;
}
