/** Polls a server until a deadline. All waits of the suite use it. */
const DEADLINE_MS = 30_000;
const PAUSE_MS = 40;

/** Resolves with the result of `poll` once it is neither undefined nor false; errors mean "not yet". */
export async function until<T>(
  what: string,
  poll: () => Promise<T | undefined | false>,
  deadlineMs = DEADLINE_MS,
): Promise<T> {
  const end = Date.now() + deadlineMs;
  let last: unknown;
  for (;;) {
    try {
      const found = await poll();
      if (found !== undefined && found !== false) return found;
      last = undefined;
    } catch (error) {
      last = error;
    }
    if (Date.now() > end) throw new Error(`${what}: not within ${deadlineMs} ms${reasonOf(last)}`, { cause: last });
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

/** Rejects if the promise takes longer. */
export async function withTimeout<T>(what: string, promise: Promise<T>, deadlineMs = DEADLINE_MS): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`${what}: not within ${deadlineMs} ms`)), deadlineMs);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? `; ${error.message}` : "";
}
