import { CronError, isTimeZone, parseCron } from "@levelset/core/internal";

/** Returns the problem of a cron schedule; undefined if it is valid. */
export function scheduleProblem(schedule: string): string | undefined {
  try {
    parseCron(schedule);
    return undefined;
  } catch (error) {
    if (error instanceof CronError) return error.message;
    throw error;
  }
}

/** Returns the problem of a time zone name; undefined if it is valid. */
export function timeZoneProblem(zone: string): string | undefined {
  if (zone === "") return "timeZone must be nil or non-empty string";
  if (zone.toLowerCase() === "local") {
    return "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones";
  }
  return isTimeZone(zone) ? undefined : `unknown time zone ${zone}`;
}
