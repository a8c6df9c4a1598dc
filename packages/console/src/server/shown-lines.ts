import type { YamlLine } from "../api/index.ts";

/** How many lines of one object are shown, and how many characters of a line. */
const LINES_MAX = 5_000;
const CHARACTERS_MAX = 2_000;

/** Lines as a page can hold them. What is beyond that is not shown, but said. */
export function shownLines(lines: readonly YamlLine[]): readonly YamlLine[] {
  const shown = lines.slice(0, LINES_MAX).map(shortened);
  const left = lines.length - shown.length;
  return left === 0 ? shown : [...shown, { text: `# ${left} more lines are not shown here` }];
}

function shortened(line: YamlLine): YamlLine {
  const left = line.text.length - CHARACTERS_MAX;
  return left <= 0 ? line : { ...line, text: `${line.text.slice(0, CHARACTERS_MAX)} … ${left} more characters` };
}
