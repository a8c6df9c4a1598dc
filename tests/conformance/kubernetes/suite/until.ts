/** The one place where the suite waits for a server: it looks again and again, until a deadline. */
const DEADLINE_MS = 30_000;
const PAUSE_MS = 40;

/** Resolves with what `look` gives once that is neither undefined nor false; its failures mean "not yet". */
export async function until<T>(
  what: string,
  look: () => Promise<T | undefined | false>,
  deadlineMs = DEADLINE_MS,
): Promise<T> {
  const end = Date.now() + deadlineMs;
  let last: unknown;
  for (;;) {
    try {
      const found = await look();
      if (found !== undefined && found !== false) return found;
      last = undefined;
    } catch (error) {
      last = error;
    }
    if (Date.now() > end) throw new Error(`${what}: not within ${deadlineMs} ms${reasonOf(last)}`, { cause: last });
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

/** Fails when the promise takes longer. */
export async function within<T>(what: string, promise: Promise<T>, deadlineMs = DEADLINE_MS): Promise<T> {
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
