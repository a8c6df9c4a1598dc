import { CronError } from "./cron-error.ts";

/** The bounds of a field, and the names of its values from `min` on. */
interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

/** The values of a field that match. */
export interface CronField {
  readonly values: ReadonlySet<number>;
  /** Whether the field restricts nothing: it contains `*` or `?` without a step above 1. */
  readonly isAny: boolean;
}

/** The five fields of a schedule, in their order. */
export const CRON_FIELDS = {
  minute: { min: 0, max: 59 },
  hour: { min: 0, max: 23 },
  day: { min: 1, max: 31 },
  month: {
    min: 1,
    max: 12,
    names: ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"],
  },
  weekday: { min: 0, max: 6, names: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] },
} as const satisfies Readonly<Record<string, Bounds>>;

/** Parses a list of ranges, such as `1,10-20/5`. Throws a CronError if it is invalid. */
export function parseCronField(text: string, bounds: Bounds): CronField {
  const ranges = text
    .split(",")
    .filter((range) => range !== "")
    .map((range) => parseRange(range, bounds));
  return {
    values: new Set(ranges.flatMap(({ values }) => values)),
    isAny: ranges.some(({ isAny }) => isAny),
  };
}

function parseRange(range: string, bounds: Bounds): { readonly values: readonly number[]; readonly isAny: boolean } {
  const { min, max } = bounds;
  const [body = "", ...steps] = range.split("/");
  const [low = "", ...highs] = body.split("-");
  const isStar = low === "*" || low === "?";
  const start = isStar ? min : numberOf(low, bounds);
  if (!isStar && highs.length > 1) throw new CronError(`too many hyphens: ${range}`);
  const last = isStar ? max : highs[0] === undefined ? start : numberOf(highs[0], bounds);
  if (steps.length > 1) throw new CronError(`too many slashes: ${range}`);
  const step = steps[0] === undefined ? 1 : numberOf(steps[0], { min: 0, max: 0 });
  // `5/20` means `5-59/20`.
  const end = steps.length === 1 && highs.length === 0 ? max : last;
  if (start < min) throw new CronError(`beginning of range (${start}) below minimum (${min}): ${range}`);
  if (end > max) throw new CronError(`end of range (${end}) above maximum (${max}): ${range}`);
  if (start > end) throw new CronError(`beginning of range (${start}) beyond end of range (${end}): ${range}`);
  if (step === 0) throw new CronError(`step of range should be a positive number: ${range}`);
  const values: number[] = [];
  for (let value = start; value <= end; value += step) values.push(value);
  return { values, isAny: isStar && step === 1 };
}

function numberOf(text: string, { min, names = [] }: Bounds): number {
  const named = names.indexOf(text.toLowerCase());
  if (named >= 0) return named + min;
  if (!/^[+-]?[0-9]+$/u.test(text)) {
    throw new CronError(
      `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`,
    );
  }
  const number = Number(text);
  if (number < 0) throw new CronError(`negative number (${number}) not allowed: ${text}`);
  return number;
}
