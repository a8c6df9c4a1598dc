/** How much is measured. */
export interface Scale {
  /** Sizes of the fleet, the last of which everything else is measured at. */
  readonly sizes: readonly number[];
  readonly rounds: number;
  readonly roundMs: number;
  /** How often each question is asked. */
  readonly calls: number;
  readonly idleMs: number;
  /** How long changes come at a steady pace. */
  readonly steadyMs: number;
  readonly burst: number;
}

/** What the figures are asked for. */
export const WHOLE: Scale = {
  sizes: [10_000, 100_000],
  rounds: 2,
  roundMs: 2_000,
  calls: 40,
  idleMs: 60_000,
  steadyMs: 10_000,
  burst: 5_000,
};

/** A tenth of it, to see whether all of it works. */
export const QUICK: Scale = {
  sizes: [1_000, 10_000],
  rounds: 1,
  roundMs: 1_500,
  calls: 10,
  idleMs: 10_000,
  steadyMs: 5_000,
  burst: 1_000,
};
