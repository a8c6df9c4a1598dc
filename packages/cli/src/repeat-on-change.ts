import { toError } from "@levelset/core";
import type { InformerHealth } from "@levelset/operator";
import { escapeControlChars } from "./styled-text.ts";
import type { Shell } from "./shell.ts";
import { whenAborted } from "./signals.ts";

/** A collection whose changes cause another run. */
export interface ChangeSource {
  /** An informer of any kind. */
  readonly informer: {
    readonly synced: Promise<void>;
    readonly health: InformerHealth;
    readonly run: (signal: AbortSignal) => Promise<void>;
    readonly subscribe: (listener: () => void) => unknown;
    readonly subscribeHealth: (listener: () => void) => unknown;
  };
  /** Whether the command works without it: if it cannot be read, the others suffice. */
  readonly isOptional?: boolean;
}

/**
 * Runs `act` when all collections are read and after each change, until it returns true. Changes that arrive while it
 * runs cause one more run. Rejects if the first read of a collection fails, and when the signal aborts. A watch that
 * breaks later is retried, with a line on stderr.
 */
export async function repeatOnChange(
  sources: readonly ChangeSource[],
  { signal, stderr }: { readonly signal: AbortSignal; readonly stderr: Shell["stderr"] },
  act: () => Promise<boolean>,
): Promise<void> {
  signal.throwIfAborted();
  const stop = new AbortController();
  const failed = Promise.withResolvers<never>();
  // A rejection while no code awaits the promise must not end the process.
  failed.promise.catch(() => {});
  const stopped = whenAborted(signal).then(() => signal.throwIfAborted());
  stopped.catch(() => {});
  let changed = Promise.withResolvers<void>();
  const reported = new Set<string>();
  for (const { informer, isOptional = false } of sources) {
    informer.subscribe(() => changed.resolve());
    informer.subscribeHealth(() => {
      const { isSynced, failure } = informer.health;
      if (failure === undefined || (isOptional && !isSynced)) return;
      if (!isSynced) return failed.reject(failure);
      const text = escapeControlChars(toError(failure).message);
      if (!reported.has(text)) stderr(`not watching: ${text}; retrying\n`);
      reported.add(text);
    });
  }
  const running = sources.map(({ informer }) => informer.run(stop.signal));
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
    stop.abort();
    await Promise.all(running);
  }
}
