/** How many requests of one Operand are under way at a time. */
export const LANES = 32;

/** Does the same for many, some at a time; the results in the order of the inputs. What fails does so when nothing is under way. */
export async function inLanes<In, Out>(
  inputs: readonly In[],
  work: (input: In) => Promise<Out>,
): Promise<readonly Out[]> {
  const results: Out[] = [];
  const entries = inputs.entries();
  const lane = async (): Promise<void> => {
    for (const [index, input] of entries) results[index] = await work(input);
  };
  const lanes = await Promise.allSettled(Array.from({ length: Math.min(LANES, inputs.length) }, lane));
  const broken = lanes.find((one) => one.status === "rejected");
  if (broken !== undefined) throw broken.reason;
  return results;
}
