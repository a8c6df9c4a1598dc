/** Returns calls per second with a number of concurrent calls. */
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
      // Yields to the event loop, because calls without I/O would block the others.
      if (done % atOnce === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return (done / (performance.now() - start)) * 1000;
}

/** Returns a percentile of the values. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN;
}

/** Returns the milliseconds of several sequential calls. The first calls are a warm-up and not counted. */
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
