import type { JsonObject } from "@levelset/core";
import type { TextMap } from "../resource/index.ts";
import type { TenantScope } from "./stored-resource.ts";

/** The recorded actions. */
export type JournalAction = "create" | "patch" | "delete" | "force-delete" | "report";

/**
 * One recorded action: caller, action, resource and result. Reports form the resource's history and are limited per
 * resource; all other entries form the audit log and are retained for a fixed time, even after the resource is removed.
 */
export interface JournalEntry {
  /** A UUIDv7, so that ID order is time order. */
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
  /** The generation after the action. */
  readonly generation: number;
  /** The adapter that sent the report. */
  readonly adapter?: string;
  /**
   * Report: `{ outcome, report }`; patch or deletion without effect: `{ outcome }`; forced deletion: `{ reason }`.
   * Never contains values of a spec.
   */
  readonly details?: JsonObject;
}

/** Selects journal entries, newest first. */
export interface JournalQuery {
  readonly scope: TenantScope;
  readonly resourceId?: string;
  readonly adapter?: string;
  readonly actions?: readonly JournalAction[];
  /** Only entries older than the one with this ID. */
  readonly before?: string;
  readonly limit: number;
}
