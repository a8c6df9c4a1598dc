/** Which rows of a long list are near enough to be seen. */
export interface ScrollWindow {
  readonly first: number;
  /** One after the last. */
  readonly end: number;
  /** How far the first is from the top. */
  readonly offset: number;
}

/** Rows beyond the edges, so that quick scrolling shows no holes. */
const BEYOND = 8;

/** The rows to show of a list that is scrolled. All rows have one height. */
export function scrollWindow(view: {
  readonly top: number;
  readonly height: number;
  readonly rowHeight: number;
  readonly rows: number;
}): ScrollWindow {
  const { top, height, rowHeight, rows } = view;
  // A list that got shorter may still be scrolled beyond its end.
  const start = Math.min(Math.max(0, top), Math.max(0, rows * rowHeight - height));
  const first = Math.max(0, Math.floor(start / rowHeight) - BEYOND);
  const end = Math.min(rows, Math.ceil((start + height) / rowHeight) + BEYOND);
  return { first, end, offset: first * rowHeight };
}
