import { collectDefaultMetrics, Registry } from "prom-client";

let shared: Registry | undefined;

/** The figures of the process itself. There is one process, however many APIs are in it, and what observes it cannot be taken down again. */
export function processMetrics(): Registry {
  if (shared === undefined) {
    shared = new Registry();
    collectDefaultMetrics({ register: shared });
  }
  return shared;
}
