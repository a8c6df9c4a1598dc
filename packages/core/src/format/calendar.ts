/** Days of the Gregorian calendar, counted from 1970-01-01. */

const DAYS_OF_400_YEARS = 146_097;
const DAYS_TO_1970 = 719_468; // from 0000-03-01: the year begins in March, so that a leap day is its last day

/** The number of days in a month, from 1 to 12. */
function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/** Returns the day number of a valid date. */
function dayOf(year: number, month: number, day: number): number {
  const marchYear = month > 2 ? year : year - 1;
  const era = Math.floor(marchYear / 400);
  const yearOfEra = marchYear - era * 400;
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * DAYS_OF_400_YEARS + dayOfEra - DAYS_TO_1970;
}

/** Returns the date of a day number. */
export function dateOf(day: number): { readonly year: number; readonly month: number; readonly day: number } {
  const era = Math.floor((day + DAYS_TO_1970) / DAYS_OF_400_YEARS);
  const dayOfEra = day + DAYS_TO_1970 - era * DAYS_OF_400_YEARS;
  const leapDays = Math.floor(dayOfEra / 1_460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096);
  const yearOfEra = Math.floor((dayOfEra - leapDays) / 365);
  const yearDays = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100);
  const shifted = Math.floor((5 * (dayOfEra - yearDays) + 2) / 153);
  const month = shifted < 10 ? shifted + 3 : shifted - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return { year, month, day: dayOfEra - yearDays - Math.floor((153 * shifted + 2) / 5) + 1 };
}

/** Parses an RFC 3339 full-date, `2006-01-02`; returns undefined if it is invalid. */
export function parseDate(text: string): number | undefined {
  const match = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/.exec(text);
  if (match === null) return undefined;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return undefined;
  return dayOf(year, month, day);
}
