const [FULL, EMPTY] = ["█", "░"];

/** Formats a progress bar that is full only at 100 % and empty only at 0 %. */
export function progressBar(done: number, total: number, width: number): string {
  const share = total === 0 ? 1 : Math.min(1, Math.max(0, done / total));
  const exact = share * width;
  const cells = share === 1 ? width : Math.min(width - 1, share > 0 ? Math.max(1, Math.floor(exact)) : 0);
  return FULL.repeat(cells) + EMPTY.repeat(width - cells);
}
