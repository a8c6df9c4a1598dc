import { truncateText } from "@levelset/core/internal";
import type { StyledText } from "@levelset/core/internal";
import { formatStyled } from "./styled-text.ts";

/** Column separator. */
const GAP = "  ";

/** Options of {@link formatLine}. */
export interface LineOptions {
  readonly colors: boolean;
  /** Maximum line length: wrapped lines cannot be redrawn. */
  readonly columns?: number | undefined;
}

/** Joins texts to one line and truncates it. */
export function formatLine(
  pieces: readonly StyledText[],
  { colors, columns = Number.POSITIVE_INFINITY }: LineOptions,
): string {
  const shown: string[] = [];
  let room = columns;
  for (const { text, style } of pieces) {
    if (room < 1) break;
    const fitted = text.length > room ? `${truncateText(text, room - 1)}…` : text;
    shown.push(formatStyled({ text: fitted, style }, colors));
    room -= text.length + GAP.length;
  }
  return shown.join(GAP);
}

/**
 * Formats rows as lines with aligned columns. To print further rows later, pass the same `widths` again: it holds the
 * current column widths.
 */
export function formatTable(
  rows: readonly (readonly StyledText[])[],
  options: LineOptions,
  widths: number[] = [],
): readonly string[] {
  for (const row of rows) {
    for (const [column, { text }] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, text.length);
  }
  return rows.map((row) => {
    const last = row.findLastIndex(({ text }) => text !== "");
    const cells = row.slice(0, last + 1).map(({ text, style }, column) => {
      const padded = column === last ? text : text.padEnd(widths[column] ?? 0);
      return { text: padded, style };
    });
    return formatLine(cells, options);
  });
}
