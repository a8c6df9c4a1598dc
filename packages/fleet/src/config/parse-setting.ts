import { parseGoDurationMs } from "@levelset/core/internal";

/** A parsed value, or the problem. */
export type ParsedSetting<Value> = { readonly value: Value } | { readonly problem: string };

/** Parses a non-empty string. */
export function parseText(value: unknown): ParsedSetting<string> {
  if (typeof value === "number") return { value: String(value) };
  return typeof value === "string" && value !== "" ? { value } : { problem: "must be a string" };
}

/** Parses an integer. */
export function parseIntegerSetting(value: unknown, min: number, max: number): ParsedSetting<number> {
  const number = typeof value === "string" && /^-?\d+$/u.test(value) ? Number(value) : value;
  const isFit = typeof number === "number" && Number.isInteger(number) && number >= min && number <= max;
  return isFit ? { value: number } : { problem: `must be an integer from ${min} to ${max}` };
}

/** Parses a positive number. */
export function parsePositive(value: unknown): ParsedSetting<number> {
  const number = typeof value === "string" && /^\d+(?:\.\d+)?$/u.test(value) ? Number(value) : value;
  return typeof number === "number" && number > 0 ? { value: number } : { problem: "must be a number above 0" };
}

/** Parses a duration such as `90s` or `1h30m` to milliseconds. */
export function parseDurationSetting(value: unknown): ParsedSetting<number> {
  const ms = typeof value === "string" ? parseGoDurationMs(value) : undefined;
  if (ms === undefined || ms <= 0) return { problem: "must be a duration, such as 90s, 30m or 1h30m" };
  return { value: Math.ceil(ms) };
}

/** Parses a boolean, also from a string. */
export function parseBoolean(value: unknown): ParsedSetting<boolean> {
  const word = typeof value === "string" ? value.toLowerCase() : value;
  if (word === true || word === "true" || word === "1") return { value: true };
  return word === false || word === "false" || word === "0" ? { value: false } : { problem: "must be true or false" };
}

/** Parses an enum value. */
export function parseChoice<Choice extends string>(value: unknown, choices: readonly Choice[]): ParsedSetting<Choice> {
  const found = choices.find((choice) => choice === value);
  return found === undefined ? { problem: `must be one of ${choices.join(", ")}` } : { value: found };
}

/** Parses several strings: a list, or one string with commas. */
export function parseTexts(value: unknown): ParsedSetting<readonly string[]> {
  const items: unknown = typeof value === "string" ? value.split(",").map((item) => item.trim()) : value;
  const isFit =
    Array.isArray(items) && items.length > 0 && items.every((item) => typeof item === "string" && item !== "");
  return isFit ? { value: items as readonly string[] } : { problem: "must be a list of strings" }; // checked above
}

/** Parses a URL with scheme and host. */
export function parseAddress(value: unknown): ParsedSetting<string> {
  const isFit = typeof value === "string" && URL.canParse(value) && new URL(value).host !== "";
  return isFit ? { value } : { problem: "must be a URL: SCHEME://HOST" };
}
