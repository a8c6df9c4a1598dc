import { parseGoDuration } from "@levelset/core";

/** A value, or what is wrong with it. */
export type Reading<Value> = { readonly value: Value } | { readonly wrong: string };

/** A text of at least one character. */
export function readText(value: unknown): Reading<string> {
  if (typeof value === "number") return { value: String(value) };
  return typeof value === "string" && value !== "" ? { value } : { wrong: "must be a text" };
}

/** A whole number. */
export function readInteger(value: unknown, min: number, max: number): Reading<number> {
  const number = typeof value === "string" && /^-?\d+$/u.test(value) ? Number(value) : value;
  const isFit = typeof number === "number" && Number.isInteger(number) && number >= min && number <= max;
  return isFit ? { value: number } : { wrong: `must be a whole number from ${min} to ${max}` };
}

/** A number above 0. */
export function readPositive(value: unknown): Reading<number> {
  const number = typeof value === "string" && /^\d+(?:\.\d+)?$/u.test(value) ? Number(value) : value;
  return typeof number === "number" && number > 0 ? { value: number } : { wrong: "must be a number above 0" };
}

/** A duration such as `90s` or `1h30m`, in milliseconds. */
export function readDuration(value: unknown): Reading<number> {
  const nanos = typeof value === "string" ? parseGoDuration(value) : undefined;
  if (nanos === undefined || nanos <= 0n) return { wrong: "must be a duration, such as 90s, 30m or 1h30m" };
  return { value: Math.ceil(Number(nanos) / 1_000_000) };
}

/** True or false, also as words. */
export function readFlag(value: unknown): Reading<boolean> {
  const word = typeof value === "string" ? value.toLowerCase() : value;
  if (word === true || word === "true" || word === "1") return { value: true };
  return word === false || word === "false" || word === "0" ? { value: false } : { wrong: "must be true or false" };
}

/** One of some words. */
export function readChoice<Choice extends string>(value: unknown, choices: readonly Choice[]): Reading<Choice> {
  const found = choices.find((choice) => choice === value);
  return found === undefined ? { wrong: `must be one of ${choices.join(", ")}` } : { value: found };
}

/** Several texts: a list, or one text with commas. */
export function readTexts(value: unknown): Reading<readonly string[]> {
  const items: unknown = typeof value === "string" ? value.split(",").map((item) => item.trim()) : value;
  const isFit =
    Array.isArray(items) && items.length > 0 && items.every((item) => typeof item === "string" && item !== "");
  return isFit ? { value: items as readonly string[] } : { wrong: "must be a list of texts" }; // checked above
}

/** An address with a scheme and a host. */
export function readAddress(value: unknown): Reading<string> {
  const isFit = typeof value === "string" && URL.canParse(value) && new URL(value).host !== "";
  return isFit ? { value } : { wrong: "must be an address: SCHEME://HOST" };
}
