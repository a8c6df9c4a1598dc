/** What came so far, as it came. The latest knows those before it, so adding one costs the same however many there are. */
export interface Batches<T> {
  readonly before: Batches<T> | undefined;
  readonly latest: readonly T[];
}

/** All of them as one, in order. */
export function flatten<T>(batches: Batches<T>): readonly T[] {
  const all: (readonly T[])[] = [];
  for (let at: Batches<T> | undefined = batches; at !== undefined; at = at.before) all.push(at.latest);
  return all.toReversed().flat();
}
