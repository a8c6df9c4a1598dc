/** Cron schedules as CronJobs use them. Begin with `cron-schedule.ts`. */

export { CronError } from "./cron-error.ts";
export { isTimeZone, parseCron } from "./cron-schedule.ts";
export type { CronSchedule } from "./cron-schedule.ts";
