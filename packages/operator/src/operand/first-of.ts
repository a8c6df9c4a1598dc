/** The first of some things in words, and how many more there are; empty for none. */
export function firstOf<T>(things: readonly T[], words: (thing: T) => string): string {
  const [first, ...others] = things;
  if (first === undefined) return "";
  return others.length === 0 ? words(first) : `${words(first)} (and ${others.length} more)`;
}
