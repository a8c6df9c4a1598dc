/** Resolves in the next turn of the event loop, so that requests are handled between long work. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
