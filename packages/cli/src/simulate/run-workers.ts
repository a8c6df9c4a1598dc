import type { Clock } from "@levelset/core";
import { onAbort } from "@levelset/core/internal";
import { withoutProcessMarks } from "./fresh-modules.ts";
import { NO_COVERAGE } from "./coverage-delta.ts";
import type { SeedQueue } from "./seed-queue.ts";
import { endViolation, failureOf, SimulationWorker } from "./simulation-worker.ts";
import type { WorkerEvent } from "./simulation-worker.ts";
import type { PreparedProgram, SeedOutcome, WorkerTask } from "./worker-message.ts";

/** Seeds that a worker gets at once. */
const BATCH = 10;
/** A worker is replaced after this number of seeds, or above this memory: evaluated modules stay in memory. */
const SEEDS_MAX = 500;
const MEMORY_MAX = 800 * 1024 * 1024;

/** Options of {@link runWorkers}. */
export interface WorkersOptions {
  readonly task: WorkerTask;
  readonly cwd: string;
  readonly clock: Clock;
  readonly workers: number;
  readonly blockedMs: number;
  readonly signal: AbortSignal;
  /** Called when the first worker has prepared the program. */
  readonly onPrepared: (program: PreparedProgram) => void;
  /** Called after each seed. */
  readonly onOutcome: () => void;
}

/** Runs the seeds of a queue in worker processes, until the queue is done or the signal aborts. */
export async function runWorkers(queue: SeedQueue, options: WorkersOptions): Promise<void> {
  const finished = new AbortController();
  using _ = onAbort(options.signal, () => finished.abort());
  const slots = Array.from({ length: options.workers }, () => new WorkerSlot(queue, options, finished));
  try {
    await Promise.all(slots.map((slot) => slot.run()));
  } finally {
    finished.abort();
    for (const slot of slots) slot.stop();
  }
}

/** One worker after the other. Each worker gets increasing seeds. */
class WorkerSlot {
  readonly #queue: SeedQueue;
  readonly #options: WorkersOptions;
  readonly #finished: AbortController;
  #worker: SimulationWorker | undefined;
  /** Seeds of the current worker so far. */
  #count = 0;

  constructor(queue: SeedQueue, options: WorkersOptions, finished: AbortController) {
    this.#queue = queue;
    this.#options = options;
    this.#finished = finished;
  }

  async run(): Promise<void> {
    const { signal } = this.#finished;
    let left: readonly number[] = [];
    while (!signal.aborted && !this.#queue.isDone) {
      if (left.length === 0) left = this.#queue.take(BATCH);
      if (left.length === 0) break;
      const worker = this.#worker ?? (await this.#start());
      if (worker === undefined) break;
      left = await this.#runSeeds(worker, left);
    }
    this.stop();
    if (this.#queue.isDone) this.#finished.abort();
  }

  stop(): void {
    this.#worker?.[Symbol.dispose]();
    this.#worker = undefined;
    this.#count = 0;
  }

  async #start(): Promise<SimulationWorker | undefined> {
    const { task, cwd, clock, blockedMs, onPrepared } = this.#options;
    const worker = new SimulationWorker(task.file, { cwd, clock, blockedMs });
    this.#worker = worker;
    const event = await worker.prepare(task, this.#finished.signal);
    if (event.kind === "prepared") {
      onPrepared(event.program);
      return worker;
    }
    // It would end in the same way for every seed.
    if (event.kind === "ended") this.#queue.add(processOutcome(this.#queue.firstSeed, event));
    this.#finished.abort();
    return undefined;
  }

  /** Runs seeds on a worker. Returns those that are left if the worker has ended. */
  async #runSeeds(worker: SimulationWorker, seeds: readonly number[]): Promise<readonly number[]> {
    worker.send({ kind: "seeds", seeds });
    let left = seeds;
    for (;;) {
      const event = await worker.next(this.#finished.signal);
      switch (event.kind) {
        case "outcome":
          left = left.slice(1);
          this.#add(event.outcome);
          break;
        case "idle":
          this.#count += seeds.length;
          if (this.#count >= SEEDS_MAX || event.memory > MEMORY_MAX) this.stop();
          return [];
        case "ended":
          this.stop();
          if (left[0] !== undefined) this.#add(unshrunkOutcome(worker) ?? processOutcome(left[0], event));
          return left.slice(1);
        case "failed":
          throw failureOf(event);
        case "aborted": {
          const unshrunk = unshrunkOutcome(worker);
          if (unshrunk !== undefined) this.#queue.add(unshrunk);
          return [];
        }
        default:
          throw new Error(`unexpected message of a worker: ${event.kind}`);
      }
    }
  }

  #add(outcome: SeedOutcome): void {
    this.#queue.add(outcome);
    this.#options.onOutcome();
    if (this.#queue.isDone) this.#finished.abort();
  }
}

/** Returns the result of a seed whose case is not shrunk completely, if there is one. */
function unshrunkOutcome({ found }: SimulationWorker): SeedOutcome | undefined {
  return found && { seed: found.seed, runs: 1, failure: found, coverage: NO_COVERAGE, network: [] };
}

/** Returns the result of a seed whose worker process ended. */
function processOutcome(seed: number, event: Extract<WorkerEvent, { readonly kind: "ended" }>): SeedOutcome {
  const output = withoutProcessMarks(event.output);
  const violation = endViolation({ ...event, output });
  const failure = { kind: "process", seed, violation, output } as const;
  return { seed, runs: 1, failure, coverage: NO_COVERAGE, network: [] };
}
