/** Limits of a store's event history and of each watcher's backlog. All are optional. */
export interface StoreLimits {
  /** Maximum number of past events available to watches and snapshots. Default 10,000. */
  readonly historyMax?: number;
  /** Maximum bytes of object versions that only the history refers to. Default 32 MiB. */
  readonly historyMaxBytes?: number;
  /** Maximum number of undelivered events per watcher. A watcher that exceeds it is ended as `slow`. Default 10,000. */
  readonly backlogMax?: number;
  /** Maximum bytes of undelivered objects per watcher. A watcher that exceeds it is ended as `slow`. Default 32 MiB. */
  readonly backlogMaxBytes?: number;
}

const MIB = 1024 * 1024;

/** Fills in the default of each missing limit. */
export function withDefaultLimits(limits: StoreLimits): Required<StoreLimits> {
  return {
    historyMax: limits.historyMax ?? 10_000,
    historyMaxBytes: limits.historyMaxBytes ?? 32 * MIB,
    backlogMax: limits.backlogMax ?? 10_000,
    backlogMaxBytes: limits.backlogMaxBytes ?? 32 * MIB,
  };
}
