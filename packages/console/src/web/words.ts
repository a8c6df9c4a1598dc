/** Characters that change how others are shown, or that cannot be seen at all. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A text of somebody else as it may be shown: what cannot be seen, or turns what follows around, is named instead. */
export function visible(text: string): string {
  return text.replaceAll(INVISIBLE, (char) => {
    if (char === "\n" || char === "\t") return " ";
    return `⟨U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
  });
}

/** How long something took, or how long ago it was: `41 s`, `3 min`, `2 h`, `5 d`. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 100) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 100) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} d`;
}

/** How long a time is past. */
export function age(time: string | undefined, now: number): string {
  const at = time === undefined ? Number.NaN : Date.parse(time);
  return Number.isNaN(at) ? "" : duration(now - at);
}

/** The time of day where the reader is, to the millisecond. */
export function clockTime(time: string): string {
  const date = new Date(time);
  return `${date.toTimeString().slice(0, 8)}.${String(date.getMilliseconds()).padStart(3, "0")}`;
}

/** A number with its noun: `1 object`, `2 objects`. */
export function count(number: number, noun: string): string {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}

/** A size of memory for people. */
export function bytes(value: number): string {
  return value < 1e6 ? `${Math.round(value / 1e3)} kB` : `${Math.round(value / 1e6)} MB`;
}
