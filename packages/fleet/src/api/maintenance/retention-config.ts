/** Retention of historical data. */
export interface RetentionConfig {
  /** Reports retained per resource. Default 100. */
  readonly reportsPerResource?: number;
  /** Retention of audit entries. Default 90 days. */
  readonly auditMs?: number;
  /** Retention of idempotent responses. Default one day. */
  readonly answersMs?: number;
  /** Retention of removals in the feed: how long a watch can be resumed. Default one day. */
  readonly removedMs?: number;
  /** How often expired data is deleted. Default every 10 minutes. */
  readonly everyMs?: number;
}
