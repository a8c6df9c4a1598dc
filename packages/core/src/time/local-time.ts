import { LruCache } from "../json/index.ts";

/** Creating the calendar of a time zone is slow, so some are cached. */
const ZONES = new LruCache<string, (ms: number) => number>(50);

/**
 * Returns a function from an instant in whole seconds to the local time of a zone, written as if it were UTC. The empty
 * zone is UTC, as in Go. Throws a RangeError for an unknown zone.
 */
export function localTimeOf(zone: string): (ms: number) => number {
  if (zone === "" || zone === "UTC" || zone === "Etc/UTC") return (ms) => ms;
  return ZONES.getOrCreate(zone, () => calendar(zone));
}

function calendar(timeZone: string): (ms: number) => number {
  const numeric = "numeric";
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    era: "short",
    year: numeric,
    month: numeric,
    day: numeric,
    hour: numeric,
    minute: numeric,
    second: numeric,
  });
  return (ms) => {
    const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, value]));
    const part = (name: Intl.DateTimeFormatPartTypes): number => Number(parts.get(name));
    const year = parts.get("era") === "BC" ? 1 - part("year") : part("year");
    // Date.UTC adds 1900 to the years from 0 to 99.
    const local = new Date(0);
    local.setUTCFullYear(year, part("month") - 1, part("day"));
    return local.setUTCHours(part("hour"), part("minute"), part("second"));
  };
}
