/** How many of something are done in a second while so many are under way. */
export async function rateOf(
  work: () => Promise<unknown>,
  { atOnce, ms }: { readonly atOnce: number; readonly ms: number },
): Promise<number> {
  const start = performance.now();
  let done = 0;
  const worker = async (): Promise<void> => {
    while (performance.now() - start < ms) {
      await work();
      done++;
      // What does not wait for anything would keep all others from their turn.
      if (done % atOnce === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return (done / (performance.now() - start)) * 1000;
}

/** What so many percent of the values do not exceed. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN;
}

/** Milliseconds of each of several calls, one after the other. The first ones do not count: plans are made and caches filled. */
export async function timesOf(calls: number, work: (number: number) => Promise<unknown>): Promise<readonly number[]> {
  const times: number[] = [];
  const warm = Math.ceil(calls / 5);
  for (let number = 0; number < warm + calls; number += 1) {
    const start = performance.now();
    await work(number);
    if (number >= warm) times.push(performance.now() - start);
  }
  return times;
}
