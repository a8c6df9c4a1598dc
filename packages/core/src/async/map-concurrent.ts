/** Default limit of {@link mapConcurrent}. */
export const CONCURRENCY_MAX = 32;

/**
 * Maps inputs with limited concurrency and returns the results in input order. Rejects with the first error after all
 * started calls have settled.
 */
export async function mapConcurrent<In, Out>(
  inputs: readonly In[],
  work: (input: In) => Promise<Out>,
  limit: number = CONCURRENCY_MAX,
): Promise<readonly Out[]> {
  const results: Out[] = [];
  const entries = inputs.entries();
  const worker = async (): Promise<void> => {
    for (const [index, input] of entries) results[index] = await work(input);
  };
  const workers = await Promise.allSettled(Array.from({ length: Math.min(limit, inputs.length) }, worker));
  const broken = workers.find((one) => one.status === "rejected");
  if (broken !== undefined) throw broken.reason;
  return results;
}
