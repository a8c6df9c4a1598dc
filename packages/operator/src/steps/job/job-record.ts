import { s } from "@levelset/core";
import type { AnyCustomKind, StatusOf } from "@levelset/core";
import type { ObjectSchema } from "@levelset/core/schema";

/** Result of the last Job of a step. */
export interface JobRecord {
  /** Name of the Job. */
  readonly job: string;
  readonly uid: string;
  /** Hash that it was run for. */
  readonly hash: string;
  readonly result: "Complete" | "Failed";
  /** Reason of its failure: BackoffLimitExceeded, DeadlineExceeded, PodFailurePolicy. */
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  readonly finishedAt: string;
}

/** Schema of a status field that records the result of the last Job of a step: `migration: jobRecord.optional()`. */
export const jobRecord: ObjectSchema<JobRecord, JobRecord> = s.object({
  job: s.string().describe("Name of the Job that ran last."),
  uid: s.string().describe("Its uid."),
  hash: s.string().describe("Hash of what it was run for."),
  result: s.enum("Complete", "Failed").describe("How it ended."),
  reason: s.string().optional().describe("Why it failed, in one word."),
  message: s.string().optional().describe("Why it failed."),
  finishedAt: s.dateTime().describe("When it ended."),
});

/** Status fields of a kind that can store a `JobRecord`. */
export type JobRecordField<K extends AnyCustomKind> = {
  [Field in keyof StatusOf<K>]-?: [NonNullable<StatusOf<K>[Field]>] extends [JobRecord] ? Field : never;
}[keyof StatusOf<K>] &
  string;
