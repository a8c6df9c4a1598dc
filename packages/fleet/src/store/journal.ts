import type { JsonObject } from "@levelset/core";
import type { TextMap } from "../resource/index.ts";
import type { TenantScope } from "./stored.ts";

/** What can happen to a resource. */
export type JournalAction = "create" | "patch" | "delete" | "force-delete" | "report";

/**
 * One thing that happened: who did what to which resource, and what became of it. Reports are the resource's history and are bounded per
 * resource; everything else is the audit and is kept for its time, also after the resource is gone.
 */
export interface JournalEntry {
  /** A UUID of version 7, so that the journal is in the order of its ids. */
  readonly id: string;
  readonly time: number;
  readonly action: JournalAction;
  readonly resourceId: string;
  readonly kind: string;
  readonly name: string;
  readonly tenancy: TextMap;
  /** The identity of the caller. */
  readonly by: string;
  readonly requestId: string;
  /** The generation after it. */
  readonly generation: number;
  /** The adapter of a report. */
  readonly adapter?: string;
  /** A report: `{ outcome, report }`; a patch or deletion that changed nothing: `{ outcome }`; a forced deletion: `{ reason }`. Never the values of a spec. */
  readonly details?: JsonObject;
}

/** Which part of the journal, the newest first. */
export interface JournalQuery {
  readonly scope: TenantScope;
  readonly resourceId?: string;
  readonly adapter?: string;
  readonly actions?: readonly JournalAction[];
  /** Only what is older than the entry of this id. */
  readonly before?: string;
  readonly limit: number;
}
