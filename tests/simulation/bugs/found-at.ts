/** The seed that found each bug last time. */
export const FOUND_AT: Readonly<Record<string, number>> = {};
