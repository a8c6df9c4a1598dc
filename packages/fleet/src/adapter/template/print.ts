import { formatTime } from "./go-time.ts";
import { GoTime, isList } from "./value.ts";
import type { TemplateValue } from "./value.ts";

/** How a value shows in the text that a template makes. */
export function shown(value: TemplateValue): string {
  return value === null ? "<no value>" : plain(value);
}

/** How Go prints a value by default. */
export function plain(value: TemplateValue): string {
  if (value === null) return "<nil>";
  if (typeof value === "number") return floatText(value);
  if (value instanceof GoTime) return formatTime(value, "2006-01-02 15:04:05.999999999 -0700 MST");
  if (isList(value)) return `[${value.map(plain).join(" ")}]`;
  if (typeof value === "object") {
    const keys = Object.keys(value).toSorted();
    return `map[${keys.map((key) => `${key}:${plain(value[key] ?? null)}`).join(" ")}]`;
  }
  return String(value);
}

/** A float with as few digits as say it, and an exponent from a million on: 1000000 is `1e+06`. */
export function floatText(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "+Inf" : "-Inf";
  if (Object.is(value, -0)) return "-0";
  const [digits = "", exponentText = "0"] = value.toExponential().split("e");
  const exponent = Number(exponentText);
  // Between these bounds JavaScript writes no exponent either.
  return exponent >= -4 && exponent < 6 ? String(value) : exponential(digits, exponent);
}

/** With a sign and at least two digits in the exponent. */
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

/** A text in Go's double quotes. */
export function quoted(text: string): string {
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
