import type { SimulateSettings } from "./simulate-file.ts";

/** What is simulated, as the options of the command say it. */
type Simulated = Pick<SimulateSettings, "file" | "samples" | "ignore">;

const PLAIN = /^[\w./@:+-]+$/u;
/** Characters that a terminal may interpret when they are pasted, or that it does not show. */
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** Returns the command that simulates a file with the same samples and rules, as a line for a shell. */
export function commandLine({ file, samples = [], ignore }: Simulated, how: readonly string[]): string {
  const flags = [...samples.flatMap((each) => ["--samples", each]), ...ignore.flatMap((each) => ["--ignore", each])];
  // A leading dash would make the file an option.
  const argument = file.startsWith("-") ? `./${file}` : file;
  return ["levelset", "simulate", argument, ...flags, ...how].map(quoted).join(" ");
}

/** Quotes a word for a shell. Words of story files are not trusted, and the line is pasted into a terminal. */
function quoted(word: string): string {
  if (PLAIN.test(word)) return word;
  if (word.search(INVISIBLE) === -1) return `'${word.replaceAll("'", String.raw`'\''`)}'`;
  const escaped = word
    .replaceAll(/['\\]/gu, (char) => `\\${char}`)
    .replaceAll(INVISIBLE, (char) => `\\U${(char.codePointAt(0) ?? 0).toString(16).padStart(8, "0")}`);
  return `$'${escaped}'`;
}
