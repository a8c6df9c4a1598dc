import { JsonError, parseJson } from "../json/index.ts";
import type { JsonValue } from "../json/index.ts";

/** The parsed value; undefined if the string is invalid. */
type Reading<T> = { readonly value: T } | undefined;

/**
 * Parses a string value: the number in a Secret, the flag in a ConfigMap. Not a schema: fields of kinds have their own
 * types. Immutable: each method returns a new parser.
 */
export class StringParser<out T> {
  /** Describes the expected value: `a whole number`. */
  readonly what: string;
  /** The value for a missing string; undefined if the string is required. */
  readonly missing: Reading<T>;
  /**
   * Parses a string; returns undefined if it is invalid. Error messages must not quote the string, which may be a
   * secret.
   */
  readonly parse: (text: string) => Reading<T>;

  constructor(what: string, parse: (text: string) => Reading<T>, missing?: Reading<T>) {
    this.what = what;
    this.parse = parse;
    this.missing = missing;
  }

  /** Allows a missing string, parsed as undefined. */
  optional(): StringParser<T | undefined> {
    return new StringParser<T | undefined>(this.what, this.parse, { value: undefined });
  }

  /** Allows a missing string, parsed as this value. */
  default<D>(value: D): StringParser<T | D> {
    return new StringParser<T | D>(this.what, this.parse, { value });
  }

  /** Restricts the valid values. `what` describes all constraints: `a whole number above 0`. */
  refine(what: string, test: (value: T) => boolean): StringParser<T> {
    const read = (text: string): Reading<T> => {
      const reading = this.parse(text);
      return reading === undefined || !test(reading.value) ? undefined : reading;
    };
    return new StringParser(what, read, this.missing);
  }
}

/** Type of a parsed value. */
export type StringParserOutput<V extends StringParser<unknown>> = V extends StringParser<infer T> ? T : never;

/** Accepts any string, unchanged. */
export function anyString(): StringParser<string> {
  return new StringParser("a text", (given) => ({ value: given }));
}

/** Parses an integer within ±(2^53 − 1). Surrounding whitespace is ignored. */
export function intFromString(): StringParser<number> {
  return numeric("a whole number", /^[+-]?\d+$/u, Number.isSafeInteger);
}

/** Parses a number such as `-2.5` or `1e3`. Surrounding whitespace is ignored. */
export function numberFromString(): StringParser<number> {
  return numeric("a number", /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/u, Number.isFinite);
}

function numeric(what: string, pattern: RegExp, test: (value: number) => boolean): StringParser<number> {
  return new StringParser(what, (given) => {
    const digits = given.trim();
    const value = Number(digits);
    // Normalizes -0 to 0.
    return pattern.test(digits) && test(value) ? { value: value + 0 } : undefined;
  });
}

/** Parses `true` or `false`. Surrounding whitespace is ignored. */
export function booleanFromString(): StringParser<boolean> {
  return new StringParser("true or false", (given) => {
    const word = given.trim();
    return word === "true" || word === "false" ? { value: word === "true" } : undefined;
  });
}

/** Parses a JSON document. */
export function jsonFromString(): StringParser<JsonValue> {
  return new StringParser("JSON", (given) => {
    try {
      return { value: parseJson(given) };
    } catch (error) {
      if (error instanceof JsonError) return undefined;
      throw error;
    }
  });
}
