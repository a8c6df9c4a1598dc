/** Gathers the values of an option that may be given again. */
export function gather(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}
