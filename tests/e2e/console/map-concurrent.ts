const CONCURRENCY = 50;

/** Calls a function for each index below `count`, with limited concurrency. */
export async function mapConcurrent(count: number, run: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await run(next++);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}
