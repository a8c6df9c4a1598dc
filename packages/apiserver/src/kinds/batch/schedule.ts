import { parseGoDuration } from "@levelset/core";

/** Validation of cron schedules: five fields, or a descriptor such as `@daily`. */

interface Field {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

const FIELDS: readonly Field[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"] },
  { min: 0, max: 6, names: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] },
];
const WORDS = ["@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly"];

/** Returns the problem of a schedule with the message of github.com/robfig/cron/v3; undefined if it is valid. */
export function scheduleProblem(schedule: string): string | undefined {
  const text = schedule.replace(/^(?:CRON_)?TZ=\S*\s+/u, "");
  if (text.startsWith("@")) return wordProblem(text);
  const parts = text.split(/\s+/u).filter((part) => part !== "");
  if (parts.length !== FIELDS.length) {
    return `expected exactly ${FIELDS.length} fields, found ${parts.length}: [${parts.join(" ")}]`;
  }
  for (const [index, field] of FIELDS.entries()) {
    for (const range of (parts[index] ?? "").split(",").filter((each) => each !== "")) {
      const problem = rangeProblem(range, field);
      if (problem !== undefined) return problem;
    }
  }
  return undefined;
}

function wordProblem(word: string): string | undefined {
  if (WORDS.includes(word)) return undefined;
  if (!word.startsWith("@every ")) return `unrecognized descriptor: ${word}`;
  const text = word.slice("@every ".length);
  return parseGoDuration(text) === undefined
    ? `failed to parse duration ${word}: time: invalid duration ${JSON.stringify(text)}`
    : undefined;
}

function rangeProblem(range: string, field: Field): string | undefined {
  const [body = "", ...steps] = range.split("/");
  const [low = "", ...high] = body.split("-");
  const isAll = low === "*" || low === "?";
  if (!isAll && high.length > 1) return `too many hyphens: ${range}`;
  const start = isAll ? field.min : numberOf(low, field);
  if (typeof start === "string") return start;
  const last = high[0] === undefined ? start : numberOf(high[0], field);
  if (!isAll && typeof last === "string") return last;
  if (steps.length > 1) return `too many slashes: ${range}`;
  const step = steps[0] === undefined ? 1 : numberOf(steps[0], { min: 0, max: 0 });
  if (typeof step === "string") return step;
  const isOpen = isAll || (steps.length === 1 && high.length === 0);
  const end = isOpen ? field.max : Number(last);
  if (start < field.min) return `beginning of range (${start}) below minimum (${field.min}): ${range}`;
  if (end > field.max) return `end of range (${end}) above maximum (${field.max}): ${range}`;
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${range}`;
  return step === 0 ? `step of range should be a positive number: ${range}` : undefined;
}

/** Parses a number or name of a field. Returns an error message if it is invalid. */
function numberOf(text: string, field: Field): number | string {
  const named = field.names?.indexOf(text.toLowerCase()) ?? -1;
  if (named >= 0) return named + field.min;
  if (/^[+-]?[0-9]+$/u.test(text)) {
    const number = Number(text);
    return number < 0 ? `negative number (${number}) not allowed: ${text}` : number;
  }
  return `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`;
}

/** Returns the problem of a time zone name; undefined if it is valid. */
export function timeZoneProblem(zone: string): string | undefined {
  if (zone === "") return "timeZone must be nil or non-empty string";
  if (zone.toLowerCase() === "local") {
    return "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones";
  }
  return isTimeZone(zone) ? undefined : `unknown time zone ${zone}`;
}

function isTimeZone(zone: string): boolean {
  // Intl also accepts UTC offsets, which are not time zone names.
  if (!/^[A-Za-z]/u.test(zone)) return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone !== "";
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
