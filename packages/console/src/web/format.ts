/** Invisible characters, and characters that change the display of others. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Escapes invisible and bidirectional control characters in untrusted text. */
export function escapeInvisible(text: string): string {
  return text.replaceAll(INVISIBLE, (char) => {
    if (char === "\n" || char === "\t") return " ";
    return `⟨U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
  });
}

/** Formats a duration: `41 s`, `3 min`, `2 h`, `5 d`. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 100) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 100) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} d`;
}

/** Formats the time since a timestamp; empty if it is absent or invalid. */
export function formatAge(time: string | undefined, now: number): string {
  const at = time === undefined ? Number.NaN : Date.parse(time);
  return Number.isNaN(at) ? "" : formatDuration(now - at);
}

/** Formats the local time of day with milliseconds. */
export function formatTimeOfDay(time: string): string {
  const date = new Date(time);
  return `${date.toTimeString().slice(0, 8)}.${String(date.getMilliseconds()).padStart(3, "0")}`;
}

/** Formats a number with its noun: `1 object`, `2 objects`. */
export function formatCount(number: number, noun: string): string {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}

/** Formats a number of bytes in kB or MB. */
export function formatBytes(value: number): string {
  return value < 1e6 ? `${Math.round(value / 1e3)} kB` : `${Math.round(value / 1e6)} MB`;
}
