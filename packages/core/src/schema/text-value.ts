import { JsonError, parseJson } from "../json/index.ts";
import type { JsonValue } from "../json/index.ts";

/** What came of reading a text; undefined when it does not read so. */
type Reading<T> = { readonly value: T } | undefined;

/**
 * What a text must read as: the number in a Secret, the flag in a ConfigMap. For values that arrive as text and are needed as something
 * else. No schema: a server keeps fields of kinds in types of their own. Immutable: each method answers with a new one.
 */
export class TextValue<out T> {
  /** What it must be, for people: `a whole number`. */
  readonly what: string;
  /** What stands for a text that is not there; undefined when it must be there. */
  readonly missing: Reading<T>;
  /** Reads a text; undefined when it is something else. Nothing here repeats the text, for it may be a secret. */
  readonly read: (text: string) => Reading<T>;

  constructor(what: string, read: (text: string) => Reading<T>, missing?: Reading<T>) {
    this.what = what;
    this.read = read;
    this.missing = missing;
  }

  /** It may be missing, and then is undefined. */
  optional(): TextValue<T | undefined> {
    return new TextValue<T | undefined>(this.what, this.read, { value: undefined });
  }

  /** It may be missing, and then has this value. */
  default<D>(value: D): TextValue<T | D> {
    return new TextValue<T | D>(this.what, this.read, { value });
  }

  /** Only some values will do. `what` says which, all in all: `a whole number above 0`. */
  which(what: string, test: (value: T) => boolean): TextValue<T> {
    const read = (text: string): Reading<T> => {
      const reading = this.read(text);
      return reading === undefined || !test(reading.value) ? undefined : reading;
    };
    return new TextValue(what, read, this.missing);
  }
}

/** The type of a value that was read. */
export type TextOut<V extends TextValue<unknown>> = V extends TextValue<infer T> ? T : never;

/** Any text, as it is. */
export function text(): TextValue<string> {
  return new TextValue("a text", (given) => ({ value: given }));
}

/** A whole number within ±(2^53 − 1); blanks and line ends around it do not matter. */
export function intFromString(): TextValue<number> {
  return numeric("a whole number", /^[+-]?\d+$/u, Number.isSafeInteger);
}

/** A number such as `-2.5` or `1e3`; blanks and line ends around it do not matter. */
export function numberFromString(): TextValue<number> {
  return numeric("a number", /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/u, Number.isFinite);
}

function numeric(what: string, pattern: RegExp, test: (value: number) => boolean): TextValue<number> {
  return new TextValue(what, (given) => {
    const digits = given.trim();
    const value = Number(digits);
    // No two spellings of zero: -0 is 0.
    return pattern.test(digits) && test(value) ? { value: value + 0 } : undefined;
  });
}

/** `true` or `false`; blanks and line ends around it do not matter. */
export function booleanFromString(): TextValue<boolean> {
  return new TextValue("true or false", (given) => {
    const word = given.trim();
    return word === "true" || word === "false" ? { value: word === "true" } : undefined;
  });
}

/** A JSON document. */
export function jsonFromString(): TextValue<JsonValue> {
  return new TextValue("JSON", (given) => {
    try {
      return { value: parseJson(given) };
    } catch (error) {
      if (error instanceof JsonError) return undefined;
      throw error;
    }
  });
}
