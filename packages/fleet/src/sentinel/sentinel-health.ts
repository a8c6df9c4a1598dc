/** Health of a Sentinel. */
export interface SentinelHealth {
  /** Returns why the process should be restarted; empty if it is live. */
  live(): readonly string[];
  /** Returns why it is not ready; empty if it is. */
  ready(): Promise<readonly string[]>;
}
