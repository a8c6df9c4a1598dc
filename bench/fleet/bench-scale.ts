/** Load of the benchmark. */
export interface BenchScale {
  /** Sizes of the fleet. All other measurements use the last one. */
  readonly sizes: readonly number[];
  readonly rounds: number;
  readonly roundMs: number;
  /** Number of calls per query. */
  readonly calls: number;
  readonly idleMs: number;
  /** Duration of changes at a steady rate. */
  readonly steadyMs: number;
  readonly burst: number;
}

/** The full load. */
export const FULL_SCALE: BenchScale = {
  sizes: [10_000, 100_000],
  rounds: 2,
  roundMs: 2_000,
  calls: 40,
  idleMs: 60_000,
  steadyMs: 10_000,
  burst: 5_000,
};

/** A tenth of the load, to check that the benchmark works. */
export const QUICK_SCALE: BenchScale = {
  sizes: [1_000, 10_000],
  rounds: 1,
  roundMs: 1_500,
  calls: 10,
  idleMs: 10_000,
  steadyMs: 5_000,
  burst: 1_000,
};
