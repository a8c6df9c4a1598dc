import { truncateText } from "@levelset/core";
import { paint } from "./paint.ts";
import type { Span } from "./paint.ts";

/** What stands between two pieces of a line. */
const GAP = "  ";

/** How lines are printed. */
export interface LineOptions {
  readonly colors: boolean;
  /** How long a line may be: what breaks on a terminal cannot be drawn over. */
  readonly columns?: number | undefined;
}

/** Pieces of text as one line, cut where it would be too long. */
export function line(pieces: readonly Span[], { colors, columns = Number.POSITIVE_INFINITY }: LineOptions): string {
  const shown: string[] = [];
  let room = columns;
  for (const { text, style } of pieces) {
    if (room < 1) break;
    const fitting = text.length > room ? `${truncateText(text, room - 1)}…` : text;
    shown.push(paint({ text: fitting, style }, colors));
    room -= text.length + GAP.length;
  }
  return shown.join(GAP);
}

/**
 * Rows with their columns below each other, as lines. Who prints further rows later gives the same `widths` again: they hold how wide the columns
 * are by then.
 */
export function table(
  rows: readonly (readonly Span[])[],
  options: LineOptions,
  widths: number[] = [],
): readonly string[] {
  for (const row of rows) {
    for (const [column, { text }] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, text.length);
  }
  return rows.map((row) => {
    const last = row.findLastIndex(({ text }) => text !== "");
    const cells = row.slice(0, last + 1).map(({ text, style }, column) => {
      const filled = column === last ? text : text.padEnd(widths[column] ?? 0);
      return { text: filled, style };
    });
    return line(cells, options);
  });
}
