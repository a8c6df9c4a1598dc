import { s } from "@levelset/core";
import type { AnyCustomKind, ObjectSchema, StatusOf } from "@levelset/core";

/** How the last Job of a step ended, and what it was for. */
export interface JobRecord {
  /** Name of the Job. */
  readonly job: string;
  readonly uid: string;
  /** Hash of what it was run for. */
  readonly hash: string;
  readonly result: "Complete" | "Failed";
  /** Why it failed, in one word: BackoffLimitExceeded, DeadlineExceeded, PodFailurePolicy. */
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  readonly finishedAt: string;
}

/** The schema of a status field in which `job` remembers how its last Job ended: `migration: jobRecord.optional()`. */
export const jobRecord: ObjectSchema<JobRecord, JobRecord> = s.object({
  job: s.string().describe("Name of the Job that ran last."),
  uid: s.string().describe("Its uid."),
  hash: s.string().describe("Hash of what it was run for."),
  result: s.enum("Complete", "Failed").describe("How it ended."),
  reason: s.string().optional().describe("Why it failed, in one word."),
  message: s.string().optional().describe("Why it failed."),
  finishedAt: s.dateTime().describe("When it ended."),
});

/** The status fields of a kind that a `JobRecord` fits into. */
export type JobRecordField<K extends AnyCustomKind> = {
  [Field in keyof StatusOf<K>]-?: [NonNullable<StatusOf<K>[Field]>] extends [JobRecord] ? Field : never;
}[keyof StatusOf<K>] &
  string;
