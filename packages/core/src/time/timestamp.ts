/** The last result. Servers and loops format the same second many times. */
let latest = { second: Number.NaN, text: "" };

/** Formats RFC 3339 in UTC with whole seconds, like `metav1.Time`. */
export function formatTimestamp(ms: number): string {
  const second = Math.floor(ms / 1000);
  if (second !== latest.second) latest = { second, text: `${new Date(second * 1000).toISOString().slice(0, 19)}Z` };
  return latest.text;
}
