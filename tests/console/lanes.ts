const LANES = 50;

/** Makes many of something, so many at a time. */
export async function inLanes(count: number, make: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) await make(next++);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}
