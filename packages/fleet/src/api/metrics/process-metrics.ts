import { collectDefaultMetrics, Registry } from "prom-client";

let shared: Registry | undefined;

/**
 * Returns the metrics of the process. The registry is shared by all APIs in the process because its collectors cannot
 * be removed.
 */
export function processMetrics(): Registry {
  if (shared === undefined) {
    shared = new Registry();
    collectDefaultMetrics({ register: shared });
  }
  return shared;
}
