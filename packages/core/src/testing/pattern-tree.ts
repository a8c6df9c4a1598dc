/** A range of code points, both ends inclusive. */
export type CharacterRange = readonly [number, number];

/** A parsed regular expression. Assertions (`^`, `$`, `\b`) are empty sequences. */
export type PatternTree =
  | { readonly kind: "characters"; readonly ranges: readonly CharacterRange[] }
  | { readonly kind: "sequence"; readonly parts: readonly PatternTree[] }
  | { readonly kind: "choice"; readonly options: readonly PatternTree[] }
  | { readonly kind: "repeat"; readonly part: PatternTree; readonly min: number; readonly max: number };

/** Parses a regular expression. Returns undefined if it has unsupported syntax. */
export function parsePattern(pattern: string): PatternTree | undefined {
  const parser = new PatternParser(pattern);
  const tree = parser.choice();
  return parser.atEnd() ? tree : undefined;
}

const NOTHING: PatternTree = { kind: "sequence", parts: [] };
const PRINTABLE: CharacterRange = [0x20, 0x7e];
const DIGITS: readonly CharacterRange[] = [range("0", "9")];
const LETTERS: readonly CharacterRange[] = [range("a", "z"), range("A", "Z")];
const WORD: readonly CharacterRange[] = [...LETTERS, ...DIGITS, range("_", "_")];
const SPACE: readonly CharacterRange[] = [range(" ", " "), range("\t", "\t")];

/** The characters of `\d` and similar classes; for Unicode classes, some of them. */
const ESCAPED_CLASSES: ReadonlyMap<string, readonly CharacterRange[]> = new Map([
  ["d", DIGITS],
  ["w", WORD],
  ["s", SPACE],
  ["D", complement(DIGITS)],
  ["W", complement(WORD)],
  ["S", complement(SPACE)],
]);

const NAMED_CLASSES: ReadonlyMap<string, readonly CharacterRange[]> = new Map([
  ["alnum", [...LETTERS, ...DIGITS]],
  ["alpha", LETTERS],
  ["digit", DIGITS],
  ["lower", [range("a", "z")]],
  ["upper", [range("A", "Z")]],
  ["punct", [range("!", "/")]],
  ["space", SPACE],
  ["word", WORD],
  ["xdigit", [...DIGITS, range("a", "f"), range("A", "F")]],
]);

const ESCAPED_CHARACTERS: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["f", "\f"],
  ["v", "\v"],
]);

/** Parses from left to right. Unsupported syntax is recorded; `atEnd` is never true after it. */
class PatternParser {
  readonly #characters: readonly string[];
  #at = 0;
  #unsupported = false;

  constructor(pattern: string) {
    this.#characters = Array.from(pattern);
  }

  atEnd(): boolean {
    return !this.#unsupported && this.#at === this.#characters.length;
  }

  choice(): PatternTree {
    const options = [this.#sequence()];
    while (this.#take("|")) options.push(this.#sequence());
    return options.length === 1 ? (options[0] ?? NOTHING) : { kind: "choice", options };
  }

  #sequence(): PatternTree {
    const parts: PatternTree[] = [];
    for (let next = this.#peek(); next !== undefined && next !== "|" && next !== ")"; next = this.#peek()) {
      parts.push(this.#repeated(this.#atom()));
    }
    return { kind: "sequence", parts };
  }

  #repeated(part: PatternTree): PatternTree {
    let tree = part;
    for (;;) {
      const bounds = this.#bounds();
      if (bounds === undefined) return tree;
      this.#take("?"); // lazy quantifiers match the same strings
      tree = { kind: "repeat", part: tree, ...bounds };
    }
  }

  #bounds(): { readonly min: number; readonly max: number } | undefined {
    if (this.#take("*")) return { min: 0, max: Number.POSITIVE_INFINITY };
    if (this.#take("+")) return { min: 1, max: Number.POSITIVE_INFINITY };
    if (this.#take("?")) return { min: 0, max: 1 };
    const found = this.#match(/^\{(\d+)(,(\d*))?\}/u);
    if (found === undefined) return undefined;
    const min = Number(found[1]);
    if (found[2] === undefined) return { min, max: min };
    return { min, max: found[3] === "" ? Number.POSITIVE_INFINITY : Number(found[3]) };
  }

  #atom(): PatternTree {
    const next = this.#next();
    if (next === "^" || next === "$") return NOTHING;
    if (next === ".") return { kind: "characters", ranges: [PRINTABLE] };
    if (next === "(") return this.#group();
    if (next === "[") return { kind: "characters", ranges: this.#set() };
    if (next === "\\") return this.#escape();
    return literal(next);
  }

  #group(): PatternTree {
    if (this.#peek() === "?" && this.#match(/^\?(:|P?<\w+>)/u) === undefined) {
      if (this.#match(/^\?[ims-]+\)/u) !== undefined) return NOTHING; // flags: a match without them is a match with them
      if (this.#match(/^\?[ims-]+:/u) === undefined) this.#unsupported = true;
    }
    const inner = this.choice();
    if (!this.#take(")")) this.#unsupported = true;
    return inner;
  }

  #escape(): PatternTree {
    if (this.#match(/^[bBAz]/u) !== undefined) return NOTHING;
    return { kind: "characters", ranges: this.#escapedRanges() };
  }

  #escapedRanges(): readonly CharacterRange[] {
    if (this.#match(/^[pP](\{\^?\w+\}|\w)/u) !== undefined) return LETTERS;
    const hex = this.#match(/^x(?:\{([0-9A-Fa-f]{1,6})\}|([0-9A-Fa-f]{2}))/u);
    if (hex !== undefined) return [codePoint(hex[1] ?? hex[2] ?? "20")];
    const next = this.#next();
    const named = ESCAPED_CLASSES.get(next);
    if (named !== undefined) return named;
    const character = ESCAPED_CHARACTERS.get(next) ?? next;
    return [range(character, character)];
  }

  #set(): readonly CharacterRange[] {
    const isNegated = this.#take("^");
    const ranges: CharacterRange[] = [];
    for (let isFirst = true; this.#peek() !== undefined; isFirst = false) {
      if (!isFirst && this.#take("]")) return isNegated ? complement(ranges) : ranges;
      ranges.push(...this.#member());
    }
    this.#unsupported = true;
    return ranges;
  }

  #member(): readonly CharacterRange[] {
    const named = this.#match(/^\[:(\w+):\]/u);
    if (named !== undefined) return NAMED_CLASSES.get(named[1] ?? "") ?? LETTERS;
    const first = this.#take("\\") ? this.#escapedRanges() : single(this.#next());
    if (first.length !== 1 || this.#match(/^-(?!\])/u) === undefined) return first;
    const last = this.#take("\\") ? this.#escapedRanges() : single(this.#next());
    return [[first[0]?.[0] ?? 0x20, last[0]?.[1] ?? 0x7e]];
  }

  #peek(): string | undefined {
    return this.#characters[this.#at];
  }

  #next(): string {
    const next = this.#characters[this.#at];
    if (next === undefined) this.#unsupported = true;
    this.#at += 1;
    return next ?? "";
  }

  #take(character: string): boolean {
    if (this.#peek() !== character) return false;
    this.#at += 1;
    return true;
  }

  /** Consumes a match at the current position. The expressions match at most 16 characters. */
  #match(expression: RegExp): RegExpExecArray | undefined {
    const found = expression.exec(this.#characters.slice(this.#at, this.#at + 32).join(""));
    if (found === null) return undefined;
    this.#at += Array.from(found[0]).length;
    return found;
  }
}

function literal(character: string): PatternTree {
  return { kind: "characters", ranges: single(character) };
}

function single(character: string): readonly CharacterRange[] {
  return character === "" ? [] : [range(character, character)];
}

function range(first: string, last: string): CharacterRange {
  return [first.codePointAt(0) ?? 0, last.codePointAt(0) ?? 0];
}

function codePoint(hex: string): CharacterRange {
  const point = Math.min(Number.parseInt(hex, 16), 0x10_ffff);
  return [point, point];
}

/** Returns the printable ASCII characters outside the ranges. */
function complement(ranges: readonly CharacterRange[]): readonly CharacterRange[] {
  const out: CharacterRange[] = [];
  for (let point = PRINTABLE[0]; point <= PRINTABLE[1]; point += 1) {
    if (!ranges.some(([first, last]) => first <= point && point <= last)) out.push([point, point]);
  }
  return out;
}
