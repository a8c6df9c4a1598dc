/** A linked list of batches. Each batch points to the previous one, so adding a batch takes constant time. */
export interface Batches<T> {
  readonly before: Batches<T> | undefined;
  readonly latest: readonly T[];
}

/** Returns the items of all batches in order. */
export function flatten<T>(batches: Batches<T>): readonly T[] {
  const all: (readonly T[])[] = [];
  for (let at: Batches<T> | undefined = batches; at !== undefined; at = at.before) all.push(at.latest);
  return all.toReversed().flat();
}
