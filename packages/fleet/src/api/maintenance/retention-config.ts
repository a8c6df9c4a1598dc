/** How much of the past is kept. */
export interface RetentionConfig {
  /** The last reports of each resource. Default 100. */
  readonly reportsPerResource?: number;
  /** Who changed what. Default 90 days. */
  readonly auditMs?: number;
  /** Answers to requests with an idempotency key. Default one day. */
  readonly answersMs?: number;
  /** That a resource was removed: for so long a watch can be resumed. Default one day. */
  readonly removedMs?: number;
  /** How often the rest is forgotten. Default every 10 minutes. */
  readonly everyMs?: number;
}
