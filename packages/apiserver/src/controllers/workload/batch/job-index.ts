/** Parses indexes such as `1,3-5`. */
export function parseIndexes(text: string): readonly number[] {
  return text
    .split(",")
    .filter((part) => part !== "")
    .flatMap((part) => {
      const [first = 0, last = first] = part.split("-").map(Number);
      return Array.from({ length: last - first + 1 }, (_, offset) => first + offset);
    });
}

/** Formats sorted, unique indexes; the inverse of `parseIndexes`. */
export function formatIndexes(indexes: readonly number[]): string {
  const runs: [first: number, last: number][] = [];
  for (const index of indexes) {
    const run = runs.at(-1);
    if (run !== undefined && run[1] === index - 1) run[1] = index;
    else runs.push([index, index]);
  }
  return runs.map(([first, last]) => (first === last ? String(first) : `${first}-${last}`)).join(",");
}
