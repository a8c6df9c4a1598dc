// Shared code of the JavaScript programs: the protocol with the benchmark, and the reconcile contract. Protocol, also
// of the Go program: the argument is the workload, KUBECONFIG the cluster. `configmaps` are only cached, `divisions`
// are reconciled. The program prints `up COUNT MS` when COUNT objects are cached, MS after the start of its code. For
// each input line it runs a garbage collection and prints `collected`. It exits at the end of its input.
import { createInterface } from "node:readline";

/** Number of concurrent reconciles. */
export const CONCURRENCY = 16;

/** The namespace of all objects. */
export const NAMESPACE = "bench";

/** The reconciled kind. */
export const DIVISION = { group: "bench.levelset.dev", version: "v1", kind: "Division", plural: "divisions" };

/** This module is imported last, so all other modules are loaded. */
const begun = performance.now();

/** Reports the number of cached objects to the benchmark, then executes its commands. */
export function up(count) {
  console.log(`up ${count} ${performance.now() - begun}`);
  const orders = createInterface({ input: process.stdin });
  orders.on("line", () => {
    // Returns as much memory as possible, as the Go program does. Otherwise the result depends on the current size of
    // the young generation.
    globalThis.gc({ type: "major", execution: "sync", flavor: "last-resort" });
    console.log("collected");
  });
  orders.on("close", () => process.exit());
}

/** Returns the desired status of an object, or undefined if it is up to date. */
export function due({ metadata, spec, status }) {
  const previous = status?.conditions?.find(({ type }) => type === "Ready");
  if (status?.observedGeneration === metadata.generation && previous?.status === "True") return undefined;
  const isZero = spec.divisor === 0;
  const ready = {
    type: "Ready",
    status: isZero ? "False" : "True",
    reason: isZero ? "DivisionByZero" : "Divided",
    message: "",
    observedGeneration: metadata.generation,
    lastTransitionTime: new Date().toISOString().replace(/\.\d+/u, ""),
  };
  if (previous?.status === ready.status) ready.lastTransitionTime = previous.lastTransitionTime;
  return {
    ...(isZero ? {} : { quotient: Math.trunc(spec.dividend / spec.divisor), remainder: spec.dividend % spec.divisor }),
    observedGeneration: metadata.generation,
    conditions: [ready],
  };
}

/**
 * A hand-written reconcile loop: keys are deduplicated, not run concurrently, and retried one second after a failure.
 */
export class Loop {
  #waiting = new Set();
  #running = new Set();
  #again = new Set();
  #reconcile;

  constructor(reconcile) {
    this.#reconcile = reconcile;
  }

  add(key) {
    if (this.#running.has(key)) this.#again.add(key);
    else this.#waiting.add(key);
    this.#serve();
  }

  #serve() {
    for (const key of this.#waiting) {
      if (this.#running.size >= CONCURRENCY) return;
      this.#waiting.delete(key);
      this.#running.add(key);
      void this.#run(key);
    }
  }

  async #run(key) {
    try {
      await this.#reconcile(key);
    } catch {
      setTimeout(() => this.add(key), 1000);
    }
    this.#running.delete(key);
    if (this.#again.delete(key)) this.#waiting.add(key);
    this.#serve();
  }
}
