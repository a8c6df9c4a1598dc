/** Resolves in the next turn of the event loop, so that long work lets requests in between. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
