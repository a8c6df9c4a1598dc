/** Rate and size limits. */
export interface LimitsConfig {
  /** The rate of one identity. Default: unlimited. Without authentication all callers share one identity. */
  readonly perIdentity?: Rate;
  /** The rate of all callers of one tenant together. Default: unlimited. */
  readonly perTenant?: Rate;
  /** The maximum number of concurrent requests. Default 1,000. */
  readonly inFlightMax?: number;
  /** The maximum number of open watches. Default 1,000. */
  readonly watchersMax?: number;
  /** The maximum size of a body. Default 1 MiB. */
  readonly bodyBytesMax?: number;
  /** How long a request may take before it is answered with 503. Default 30 s. */
  readonly requestTimeoutMs?: number;
}

/** Sustained requests per second, and the burst. */
export interface Rate {
  readonly perSecond: number;
  /** At least 1. */
  readonly burst: number;
}
