/** How much of the past a store keeps, and how much may wait for one watcher. Everything has a default. */
export interface StoreLimits {
  /** How many events of the past are kept for watches and snapshots. Default 10,000. */
  readonly historyMax?: number;
  /** How many bytes of text the past may hold on to beyond the present objects. Default 32 MiB. */
  readonly historyMaxBytes?: number;
  /** How many events may wait for one watcher before it is ended as too slow. Default 10,000. */
  readonly backlogMax?: number;
  /** How many bytes of objects may wait for one watcher before it is ended as too slow. Default 32 MiB. */
  readonly backlogMaxBytes?: number;
}

const MIB = 1024 * 1024;

/** The limits with their defaults. */
export function withDefaults(limits: StoreLimits): Required<StoreLimits> {
  return {
    historyMax: limits.historyMax ?? 10_000,
    historyMaxBytes: limits.historyMaxBytes ?? 32 * MIB,
    backlogMax: limits.backlogMax ?? 10_000,
    backlogMaxBytes: limits.backlogMaxBytes ?? 32 * MIB,
  };
}
