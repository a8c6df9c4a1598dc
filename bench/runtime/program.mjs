// What the JavaScript contestants share: how they talk to the benchmark, and the reconcile contract.
// Protocol, also of the Go program: the argument says what to follow, KUBECONFIG where. `configmaps` are only cached, `divisions` are
// reconciled. It says `up COUNT MS` when that many objects are cached, so long after its own code began. Each line that it reads asks for
// a garbage collection, answered by `collected`; the end of its input ends it.
import { createInterface } from "node:readline";

/** How many objects a contestant reconciles at a time. */
export const CONCURRENCY = 16;

/** The namespace of all that is followed. */
export const NAMESPACE = "bench";

/** The kind that is reconciled. */
export const DIVISION = { group: "bench.levelset.dev", version: "v1", kind: "Division", plural: "divisions" };

/** This is imported last, so all else is loaded by now. */
const begun = performance.now();

/** Tells the benchmark that so many objects are cached, and obeys it from then on. */
export function up(count) {
  console.log(`up ${count} ${performance.now() - begun}`);
  const orders = createInterface({ input: process.stdin });
  orders.on("line", () => {
    // Gives back what it can, as the Go program does: otherwise the size of the nursery is measured, which depends on the last second.
    globalThis.gc({ type: "major", execution: "sync", flavor: "last-resort" });
    console.log("collected");
  });
  orders.on("close", () => process.exit());
}

/** The status that an object should have, or undefined when it has it. */
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

/** The loop that users write by hand: each key waits once, runs once at a time, and is tried again a second after a failure. */
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
