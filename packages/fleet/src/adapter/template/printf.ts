import { exponential, floatText, printDefault, quoteGo } from "./print.ts";
import { typeName } from "./template-value.ts";
import type { TemplateValue } from "./template-value.ts";

/** One verb of a format: `%-8.3f`. */
interface Verb {
  readonly flags: string;
  readonly width: number;
  readonly precision: number | undefined;
  readonly verb: string;
}

const VERB = /%(?<flags>[-+# 0]*)(?<width>\d*)(?:\.(?<precision>\d*))?(?<letter>[\s\S]?)/gu;

/** Go's fmt.Sprintf for the types of templates. Mismatches are reported in the output, as in Go. */
export function printf(format: string, values: readonly TemplateValue[]): string {
  let next = 0;
  const text = format.replace(VERB, (...match) => {
    // The last argument of a replacer is the named groups.
    const groups = match.at(-1) as Readonly<Record<string, string | undefined>>;
    const { flags = "", width = "", precision, letter: deadLetter = "" } = groups;
    if (deadLetter === "%") return "%";
    if (deadLetter === "") return "%!(NOVERB)";
    const value = values[next];
    if (value === undefined) return `%!${deadLetter}(MISSING)`;
    next += 1;
    const verb = {
      flags,
      width: Number(width),
      precision: precision === undefined ? undefined : Number(precision),
      verb: deadLetter,
    };
    return padded(one(verb, value), verb, value);
  });
  const extra = values
    .slice(next)
    .map((value) => (value === null ? "<nil>" : `${typeName(value)}=${printDefault(value)}`));
  return extra.length === 0 ? text : `${text}%!(EXTRA ${extra.join(", ")})`;
}

function padded(text: string, { flags, width }: Verb, value: TemplateValue): string {
  const missing = width - Array.from(text).length;
  if (missing <= 0) return text;
  if (flags.includes("-")) return text + " ".repeat(missing);
  const isNumber = typeof value === "number" || typeof value === "bigint";
  if (!flags.includes("0") || !isNumber) return " ".repeat(missing) + text;
  const sign = /^[+-]/u.exec(text)?.[0] ?? "";
  return sign + "0".repeat(missing) + text.slice(sign.length);
}

function one(verb: Verb, value: TemplateValue): string {
  const text = verb.verb === "v" ? signed(verb, printDefault(value), value) : byKind(verb, value);
  return text ?? `%!${verb.verb}(${value === null ? "<nil>" : `${typeName(value)}=${printDefault(value)}`})`;
}

function byKind(verb: Verb, value: TemplateValue): string | undefined {
  if (typeof value === "string") return textVerb(verb, value);
  if (typeof value === "bigint") return signed(verb, intVerb(verb, value), value);
  if (typeof value === "number") return signed(verb, floatVerb(verb, value), value);
  if (typeof value === "boolean") return verb.verb === "t" ? String(value) : undefined;
  return value !== null && verb.verb === "s" ? printDefault(value) : undefined;
}

function signed({ flags }: Verb, text: string | undefined, value: TemplateValue): string | undefined {
  const isNumber = typeof value === "number" || typeof value === "bigint";
  if (text === undefined || !isNumber || text.startsWith("-") || text.startsWith("+")) return text;
  return flags.includes("+") ? `+${text}` : flags.includes(" ") ? ` ${text}` : text;
}

function textVerb({ verb: deadLetter, precision }: Verb, text: string): string | undefined {
  const cut = precision === undefined ? text : Array.from(text).slice(0, precision).join("");
  if (deadLetter === "s") return cut;
  if (deadLetter === "q") return quoteGo(cut);
  if (deadLetter !== "x" && deadLetter !== "X") return undefined;
  const hex = Array.from(new TextEncoder().encode(cut), (byte) => byte.toString(16).padStart(2, "0")).join("");
  return deadLetter === "X" ? hex.toUpperCase() : hex;
}

const RADIX: Readonly<Record<string, number>> = { d: 10, b: 2, o: 8, x: 16, X: 16 };

function intVerb({ verb: deadLetter }: Verb, value: bigint): string | undefined {
  if (deadLetter === "c") return String.fromCodePoint(Number(value));
  const radix = RADIX[deadLetter];
  if (radix === undefined) return undefined;
  return deadLetter === "X" ? value.toString(radix).toUpperCase() : value.toString(radix);
}

function floatVerb({ verb: deadLetter, precision }: Verb, value: number): string | undefined {
  switch (deadLetter) {
    case "f":
    case "F":
      return value.toFixed(precision ?? 6);
    case "e": {
      const [digits = "", exponent = "0"] = value.toExponential(precision ?? 6).split("e");
      return exponential(digits, Number(exponent));
    }
    case "g":
      return precision === undefined ? floatText(value) : floatText(Number(value.toPrecision(Math.max(1, precision))));
    default:
      return undefined;
  }
}
