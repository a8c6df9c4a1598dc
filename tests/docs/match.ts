/** What may differ between what a document shows and what is seen, and stands for all of its kind. */
const FREEDOMS: readonly { readonly of: string; readonly pattern: RegExp; readonly as: string }[] = [
  { of: "ports", pattern: /127\.0\.0\.1:\d+/gu, as: "127.0.0.1:PORT" },
  { of: "times of day", pattern: /\b\d\d:\d\d:\d\d(?:\.\d{3})?\b/gu, as: "TIME" },
  { of: "ages and durations", pattern: /\b(?:\d+(?:\.\d+)? ?(?:ms|s|m|h|d))+\b/gu, as: "AGE" },
  {
    of: "names that a cluster makes up",
    pattern: /(?<=\w)-(?:[bcdfghjklmnpqrstvwxz2456789]{8,10}-)?[bcdfghjklmnpqrstvwxz2456789]{5}\b/gu,
    as: "-NAME",
  },
  { of: "widths of columns", pattern: / {2,}/gu, as: "  " },
];

/** A line that stands for any lines; inside of a line, any text. */
const ANY = "…";

/** How far what is seen agrees with what is shown. */
export type Match =
  | { readonly kind: "agrees"; readonly lines: number }
  /** The first line shown that is not seen in its place. */
  | { readonly kind: "differs"; readonly shown: string };

/**
 * Compares lines that a document shows with lines that were seen, from the first on. With `whole`, nothing may follow; otherwise
 * the answer says how many lines were used up.
 */
export function matchLines(
  shown: readonly string[],
  seen: readonly string[],
  options: { readonly whole: boolean },
): Match {
  const patterns = trimmed(shown).map((line) => (line.trim() === ANY ? undefined : patternOf(line)));
  const lines = seen.map(normal);
  // For each number of shown lines that agree, the numbers of seen lines that they may have used up.
  let ends: ReadonlySet<number> = new Set([0]);
  for (const [index, pattern] of patterns.entries()) {
    const next = pattern === undefined ? allFrom(Math.min(...ends), lines.length) : after(ends, pattern, lines);
    if (next.size === 0) return { kind: "differs", shown: trimmed(shown)[index] ?? "" };
    ends = next;
  }
  const rest = [...ends].filter((end) => !options.whole || lines.slice(end).every((line) => line === ""));
  if (rest.length === 0) return { kind: "differs", shown: `the end, instead of: ${seen[Math.min(...ends)]}` };
  return { kind: "agrees", lines: Math.min(...rest) };
}

function trimmed(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => line.trim() !== "");
  return first === -1 ? [] : lines.slice(first, lines.findLastIndex((line) => line.trim() !== "") + 1);
}

/** Blank lines at the start are passed over, as they are where a document shows none. */
function after(ends: ReadonlySet<number>, pattern: RegExp, lines: readonly string[]): ReadonlySet<number> {
  const found = [...ends].flatMap((end) => {
    const start =
      end === 0
        ? Math.max(
            0,
            lines.findIndex((line) => line !== ""),
          )
        : end;
    return [end, start].filter((at) => at < lines.length && pattern.test(lines[at] ?? "")).map((at) => at + 1);
  });
  return new Set(found);
}

function allFrom(start: number, end: number): ReadonlySet<number> {
  return new Set(Array.from({ length: end - start + 1 }, (_, index) => start + index));
}

function normal(line: string): string {
  return FREEDOMS.reduce((text, { pattern, as }) => text.replaceAll(pattern, as), line).trimEnd();
}

function patternOf(line: string): RegExp {
  const literal = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/gu, String.raw`\$&`);
  return new RegExp(`^${normal(line).split(ANY).map(literal).join(".*")}$`, "u");
}
