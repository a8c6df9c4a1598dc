import type { YamlLine } from "../../api/index.ts";

/** Maximum number of lines of an object, and of characters of a line. */
const LINES_MAX = 5_000;
const CHARACTERS_MAX = 2_000;

/** Truncates lines for a page. The number of omitted lines and characters is appended. */
export function truncateLines(lines: readonly YamlLine[]): readonly YamlLine[] {
  const shown = lines.slice(0, LINES_MAX).map(shortened);
  const left = lines.length - shown.length;
  return left === 0 ? shown : [...shown, { text: `# ${left} more lines are not shown here` }];
}

function shortened(line: YamlLine): YamlLine {
  const left = line.text.length - CHARACTERS_MAX;
  return left <= 0 ? line : { ...line, text: `${line.text.slice(0, CHARACTERS_MAX)} … ${left} more characters` };
}
