/** Returns the closest name; undefined if none is close. */
export function suggestName(word: string, names: readonly string[]): string | undefined {
  const near = names
    .map((name) => ({ name, edits: edits(word.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, edits: count }) => count <= Math.max(1, Math.floor(Math.max(word.length, name.length) / 3)))
    .toSorted((a, b) => a.edits - b.edits);
  return near[0]?.name;
}

/** Returns the edit distance: insertions, deletions, substitutions and swaps of adjacent characters. */
function edits(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, index) => index)];
  const at = (i: number, j: number): number => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(Math.min(replaced, at(i - 1, j) + 1, at(i, j - 1) + 1, isSwap ? at(i - 2, j - 2) + 1 : replaced));
    }
  }
  return at(a.length, b.length);
}
