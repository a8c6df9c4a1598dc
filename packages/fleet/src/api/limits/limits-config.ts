/** How much callers may ask for. */
export interface LimitsConfig {
  /** Of one identity. Default: any. Where nobody has to say who they are, all callers are one. */
  readonly perIdentity?: Rate;
  /** Of all callers of one tenant together. Default: any. */
  readonly perTenant?: Rate;
  /** How many requests are worked on at once. Default 1,000. */
  readonly inFlightMax?: number;
  /** How many watches are open at once. Default 1,000. */
  readonly watchersMax?: number;
  /** The most bytes of a body. Default 1 MiB. */
  readonly bodyBytesMax?: number;
  /** How long a request may take until it is answered with 503. Default 30 s. */
  readonly requestTimeoutMs?: number;
}

/** So many requests a second in the long run, and so many at once. */
export interface Rate {
  readonly perSecond: number;
  /** At least 1. */
  readonly burst: number;
}
