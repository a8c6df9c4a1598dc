import { formatTime } from "./go-time.ts";
import { GoTime, isList } from "./template-value.ts";
import type { TemplateValue } from "./template-value.ts";

/** Formats a value as a template prints it. */
export function printValue(value: TemplateValue): string {
  return value === null ? "<no value>" : printDefault(value);
}

/** Formats a value as Go's %v does. */
export function printDefault(value: TemplateValue): string {
  if (value === null) return "<nil>";
  if (typeof value === "number") return floatText(value);
  if (value instanceof GoTime) return formatTime(value, "2006-01-02 15:04:05.999999999 -0700 MST");
  if (isList(value)) return `[${value.map(printDefault).join(" ")}]`;
  if (typeof value === "object") {
    const keys = Object.keys(value).toSorted();
    return `map[${keys.map((key) => `${key}:${printDefault(value[key] ?? null)}`).join(" ")}]`;
  }
  return String(value);
}

/** Formats a float with the fewest digits, with an exponent from one million on: 1000000 is `1e+06`. */
export function floatText(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "+Inf" : "-Inf";
  if (Object.is(value, -0)) return "-0";
  const [digits = "", exponentText = "0"] = value.toExponential().split("e");
  const exponent = Number(exponentText);
  // Between these bounds JavaScript writes no exponent either.
  return exponent >= -4 && exponent < 6 ? String(value) : exponential(digits, exponent);
}

/** Formats with a sign and at least two digits in the exponent. */
export function exponential(digits: string, exponent: number): string {
  return `${digits}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  "\x07": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
  "\\": "\\\\",
  '"': '\\"',
};

/** Quotes a string like Go's strconv.Quote. */
export function quoteGo(text: string): string {
  const inner = Array.from(text, (character) => {
    const escape = ESCAPES[character];
    if (escape !== undefined) return escape;
    if (character === " " || /^[\p{L}\p{M}\p{N}\p{P}\p{S}]$/u.test(character)) return character;
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x80) return `\\x${code.toString(16).padStart(2, "0")}`;
    return code > 0xff_ff ? `\\U${code.toString(16).padStart(8, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
  });
  return `"${inner.join("")}"`;
}
