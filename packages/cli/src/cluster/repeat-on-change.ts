import { toError, whenAborted } from "@levelset/core/internal";
import type { Kind } from "@levelset/core";
import type { Informer } from "@levelset/operator";
import { escapeControlChars } from "../terminal/index.ts";
import type { Shell } from "../terminal/index.ts";

/** A collection whose changes cause another run. */
export interface ChangeSource {
  /** An informer of any kind. */
  readonly informer: Pick<Informer<Kind>, "synced" | "isSynced" | "failure" | "subscribeHealth" | "close"> & {
    readonly subscribe: (listener: () => void) => void;
  };
  /** Whether the command works without it: if it cannot be read, the others suffice. */
  readonly isOptional?: boolean;
}

/**
 * Runs `act` when all collections are read and after each change, until it returns true, and closes the informers. Changes that arrive while it
 * runs cause one more run. Rejects if the first read of a collection fails, and when the signal aborts. A watch that
 * breaks later is retried, with a line on stderr.
 */
export async function repeatOnChange(
  sources: readonly ChangeSource[],
  { signal, stderr }: { readonly signal: AbortSignal; readonly stderr: Shell["stderr"] },
  act: () => Promise<boolean>,
): Promise<void> {
  signal.throwIfAborted();
  const failed = Promise.withResolvers<never>();
  // A rejection while no code awaits the promise must not end the process.
  failed.promise.catch(() => {});
  const stopped = whenAborted(signal).then(() => signal.throwIfAborted());
  stopped.catch(() => {});
  let changed = Promise.withResolvers<void>();
  const reported = new Set<string>();
  for (const { informer, isOptional = false } of sources) {
    informer.subscribe(() => changed.resolve());
    const onHealth = (): void => {
      const { isSynced, failure } = informer;
      if (failure === undefined || (isOptional && !isSynced)) return;
      if (!isSynced) return failed.reject(failure);
      const text = escapeControlChars(toError(failure).message);
      if (!reported.has(text)) stderr(`not watching: ${text}; retrying\n`);
      reported.add(text);
    };
    informer.subscribeHealth(onHealth);
    onHealth();
  }
  const orStopped = (work: Promise<unknown>): Promise<unknown> => Promise.race([work, failed.promise, stopped]);
  try {
    const required = sources.filter(({ isOptional = false }) => !isOptional);
    await orStopped(Promise.all(required.map(({ informer }) => informer.synced)));
    for (;;) {
      changed = Promise.withResolvers();
      if (await act()) return;
      await orStopped(changed.promise);
    }
  } finally {
    for (const { informer } of sources) informer.close();
  }
}
