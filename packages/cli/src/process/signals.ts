/** Exit code after a second stop signal: 128 + SIGINT. */
const KILLED = 130;

/** Returns a signal that aborts on SIGINT, SIGTERM or exit of the parent. A second signal exits immediately. */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  const onSignal = (): void => {
    if (controller.signal.aborted) process.exit(KILLED);
    controller.abort();
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  process.on("disconnect", onSignal);
  // The listener would keep the IPC channel, and so the process, alive.
  process.channel?.unref();
  return controller.signal;
}
