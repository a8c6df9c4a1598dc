/** The visible range of a long list. */
export interface ScrollWindow {
  readonly first: number;
  /** Index after the last row. */
  readonly end: number;
  /** Distance of the first row from the top, in pixels. */
  readonly offset: number;
}

/** Number of rows rendered beyond each edge, so that fast scrolling shows no gaps. */
const OVERSCAN = 8;

/** Returns the rows to render of a scrolled list. All rows have the same height. */
export function scrollWindow(view: {
  readonly top: number;
  readonly height: number;
  readonly rowHeight: number;
  readonly rows: number;
}): ScrollWindow {
  const { top, height, rowHeight, rows } = view;
  // After a list became shorter, the scroll position may be beyond its end.
  const start = Math.min(Math.max(0, top), Math.max(0, rows * rowHeight - height));
  const first = Math.max(0, Math.floor(start / rowHeight) - OVERSCAN);
  const end = Math.min(rows, Math.ceil((start + height) / rowHeight) + OVERSCAN);
  return { first, end, offset: first * rowHeight };
}
