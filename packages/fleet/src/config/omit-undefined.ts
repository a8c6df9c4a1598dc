/** Returns the fields that have a value, for options that must be absent rather than undefined. */
export function omitUndefined<Members extends object>(
  members: Members,
): { readonly [Name in keyof Members]?: Exclude<Members[Name], undefined> } {
  // Only undefined values were removed.
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    readonly [Name in keyof Members]?: Exclude<Members[Name], undefined>;
  };
}
