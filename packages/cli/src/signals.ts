/** Exit code of a process that was told twice to stop, as shells count it: 128 + SIGINT. */
const KILLED = 130;

/** A signal that aborts at the first Ctrl-C (or SIGTERM), or when a process is gone that started this one for itself; the second one ends the process at once. */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  const onSignal = (): void => {
    if (controller.signal.aborted) process.exit(KILLED);
    controller.abort();
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  process.on("disconnect", onSignal);
  // Who listens for its end keeps the channel open, and with it the process.
  process.channel?.unref();
  return controller.signal;
}

/** Resolves when the signal aborts. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
