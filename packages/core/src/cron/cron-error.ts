/** An invalid cron schedule. The message is that of `github.com/robfig/cron/v3`, which Kubernetes uses. */
export class CronError extends Error {
  override readonly name = "CronError";
}
