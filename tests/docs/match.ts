/** Parts of the output that differ from run to run. They are replaced by a placeholder before the comparison. */
const VARIABLE_PARTS: readonly { readonly of: string; readonly pattern: RegExp; readonly as: string }[] = [
  { of: "ports", pattern: /127\.0\.0\.1:\d+/gu, as: "127.0.0.1:PORT" },
  { of: "times of day", pattern: /\b\d\d:\d\d:\d\d(?:\.\d{3})?\b/gu, as: "TIME" },
  { of: "ages and durations", pattern: /\b(?:\d+(?:\.\d+)? ?(?:ms|s|m|h|d))+\b/gu, as: "AGE" },
  {
    of: "generated names",
    pattern: /(?<=\w)-(?:[bcdfghjklmnpqrstvwxz2456789]{8,10}-)?[bcdfghjklmnpqrstvwxz2456789]{5}\b/gu,
    as: "-NAME",
  },
  { of: "widths of columns", pattern: / {2,}/gu, as: "  " },
];

/** Matches any lines if it is a whole line, else any text within the line. */
const ANY = "…";

/** Result of a comparison. `lines`: the number of consumed output lines. */
export type Match =
  | { readonly kind: "agrees"; readonly lines: number }
  /** `expected`: the first expected line without a match. */
  | { readonly kind: "differs"; readonly expected: string };

/**
 * Compares expected lines with the output, starting at the first line. With `whole`, the output must end after them;
 * else the result has the number of consumed lines.
 */
export function matchLines(
  expected: readonly string[],
  actual: readonly string[],
  options: { readonly whole: boolean },
): Match {
  const patterns = trimmed(expected).map((line) => (line.trim() === ANY ? undefined : patternOf(line)));
  const lines = actual.map(normalize);
  // Possible numbers of output lines consumed by the expected lines so far.
  let ends: ReadonlySet<number> = new Set([0]);
  for (const [index, pattern] of patterns.entries()) {
    const next = pattern === undefined ? allFrom(Math.min(...ends), lines.length) : after(ends, pattern, lines);
    if (next.size === 0) return { kind: "differs", expected: trimmed(expected)[index] ?? "" };
    ends = next;
  }
  const rest = [...ends].filter((end) => !options.whole || lines.slice(end).every((line) => line === ""));
  if (rest.length === 0) return { kind: "differs", expected: `the end, instead of: ${actual[Math.min(...ends)]}` };
  return { kind: "agrees", lines: Math.min(...rest) };
}

function trimmed(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => line.trim() !== "");
  return first === -1 ? [] : lines.slice(first, lines.findLastIndex((line) => line.trim() !== "") + 1);
}

/** Returns the possible ends after a line that matches. Blank lines at the start of the output are skipped. */
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

function normalize(line: string): string {
  return VARIABLE_PARTS.reduce((text, { pattern, as }) => text.replaceAll(pattern, as), line).trimEnd();
}

function patternOf(line: string): RegExp {
  const literal = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/gu, String.raw`\$&`);
  return new RegExp(`^${normalize(line).split(ANY).map(literal).join(".*")}$`, "u");
}
