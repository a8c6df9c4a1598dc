/** How a Sentinel is doing. */
export interface SentinelHealth {
  /** Why it should be started anew; empty when it is alive. */
  live(): readonly string[];
  /** Why it does not do its work; empty when it does. */
  ready(): Promise<readonly string[]>;
}
