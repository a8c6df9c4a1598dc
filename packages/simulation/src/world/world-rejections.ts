import { AsyncLocalStorage } from "node:async_hooks";

/** Receives the reason of an unhandled rejection. */
export type RejectionListener = (reason: unknown) => void;

type ProcessListener = NodeJS.UnhandledRejectionListener;

const EVENT = "unhandledRejection";
/** The listener of the code that runs, and of all asynchronous work that it starts. */
const LISTENERS = new AsyncLocalStorage<RejectionListener>();

/** The listeners of this Node process for rejections of other code, while worlds run. */
let others: readonly ProcessListener[] = [];
let worlds = 0;

/**
 * Runs a simulated world. Unhandled rejections of its code go to `listener`, and not to the listeners of this Node
 * process, which would end it or fail a test run. Those of other code go to these listeners as before.
 */
export async function withRejections<Result>(listener: RejectionListener, run: () => Promise<Result>): Promise<Result> {
  worlds += 1;
  if (worlds === 1) {
    others = process.listeners(EVENT);
    process.removeAllListeners(EVENT).on(EVENT, receive);
  }
  try {
    return await LISTENERS.run(listener, run);
  } finally {
    worlds -= 1;
    if (worlds === 0) {
      process.off(EVENT, receive);
      for (const other of others) process.on(EVENT, other);
    }
  }
}

/** Runs code of a world whose unhandled rejections go to another listener. */
export function withListener<Result>(listener: RejectionListener, run: () => Result): Result {
  return LISTENERS.run(listener, run);
}

function receive(reason: unknown, promise: Promise<unknown>): void {
  const listener = LISTENERS.getStore();
  if (listener !== undefined) return listener(reason);
  if (others.length === 0) throw reason; // as Node does without listeners
  for (const other of others) other(reason, promise);
}
