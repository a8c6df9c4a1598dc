import { parseGoDuration } from "./go-duration.ts";

const NUMBER_AND_WORD = /([0-9]+)[\t\n\f\r ]*([A-Za-zµ]*)/g;
const INT64_MAX = 2n ** 63n - 1n;

/** Units and prefixes of units: `day`, `days`, and also `daylight`. */
const UNIT = /^(?:(?:ns|us|µs|ms|s|m|h|hr|d|w|wk)$|nano|micro|milli|sec|min|hour|day|week)/;

/**
 * Reports whether the text is a duration of the schema format: a Go duration, or any text with a number before a unit,
 * such as `3 weeks`.
 */
export function isSchemaDuration(text: string): boolean {
  if (parseGoDuration(text) !== undefined) return true;
  let found = false;
  for (const [, digits = "", word = ""] of text.matchAll(NUMBER_AND_WORD)) {
    if (word === "") continue;
    const significant = digits.replace(/^0+/, "");
    if (significant.length > 19 || BigInt(significant) > INT64_MAX) return false;
    if (UNIT.test(word.toLowerCase())) found = true;
  }
  return found;
}
