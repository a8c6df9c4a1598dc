import type { Coverage } from "@levelset/simulation";
import { CoverageCounter } from "@levelset/simulation/internal";
import type { SeedQueue } from "./seed-queue.ts";
import type { PreparedProgram, SeedFailure } from "./worker-message.ts";

/** The result of a simulation. It does not depend on the number of workers. */
export interface SimulationSummary {
  readonly histories: number;
  /** Simulated worlds: a history is performed several times. */
  readonly worlds: number;
  readonly failures: readonly SeedFailure[];
  readonly coverage: Coverage;
  /** Kinds none of whose samples became ready. */
  readonly neverReady: readonly string[];
  /** Hosts that the program tried to reach. */
  readonly network: readonly string[];
  /** Whether the modules of the program were evaluated only once in each worker. */
  readonly isShared: boolean;
}

/** Returns the summary of the seeds that have finished. */
export function summarize(queue: SeedQueue, program: PreparedProgram): SimulationSummary {
  const outcomes = queue.outcomes();
  const counter = new CoverageCounter();
  for (const { coverage } of outcomes) counter.merge(coverage);
  const { coverable, neverReady, isShared } = program;
  return {
    histories: outcomes.length,
    worlds: outcomes.reduce((sum, { runs }) => sum + runs, 0),
    failures: queue.failures(),
    coverage: counter.coverage(coverable),
    neverReady,
    network: unique(outcomes.flatMap(({ network }) => network)),
    isShared,
  };
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].toSorted();
}
