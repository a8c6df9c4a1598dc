/** Collects the values of a repeatable option. */
export function collectOption(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}
