/** Describes the first item and the number of others; empty for none. */
export function summarizeFirst<T>(things: readonly T[], words: (thing: T) => string): string {
  const [first, ...others] = things;
  if (first === undefined) return "";
  return others.length === 0 ? words(first) : `${words(first)} (and ${others.length} more)`;
}
