/** Formats example command lines for the help of a command. */
export function examples(...lines: readonly string[]): string {
  return ["\nExamples:", ...lines].join("\n  ");
}
