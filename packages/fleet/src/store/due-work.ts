import type { StoredResource } from "./stored-resource.ts";

/**
 * Why a resource must be pulsed at once: its declaration was created, changed or deleted, or one of its adapters
 * reported a different result that other adapters may wait for ("wake").
 */
export type UrgentCause = "create" | "change" | "delete" | "wake";

/**
 * When to pulse a resource next. Written with the change that causes it. An urgent cause remains until a pulse that was
 * claimed after it completes; "wake" never replaces another urgent cause. `refreshTime` replaces the previous one;
 * undefined means never.
 */
export interface PlannedWork {
  readonly resourceId: string;
  readonly kind: string;
  readonly urgent?: { readonly time: number; readonly cause: UrgentCause };
  readonly refreshTime: number | undefined;
}

/** The planned work of one resource. */
export interface WorkStatus {
  readonly cause: UrgentCause | "refresh";
  /** When the resource is due; undefined if only a change can make it due. */
  readonly dueTime: number | undefined;
  /** When a message was last sent for the resource; undefined if never. */
  readonly pulsedTime: number | undefined;
}

/** A due resource, leased to one holder until the lease expires. */
export interface Claim {
  readonly resource: StoredResource;
  readonly cause: UrgentCause | "refresh";
  /** When the resource became due. */
  readonly dueTime: number;
  /** When a message was last sent for the resource. */
  readonly pulsedTime: number | undefined;
  readonly holder: string;
  /** The plan counters at the time of the claim. A later plan has higher counters. */
  readonly counters: PlanCounters;
}

/** Counters that identify a plan. */
export interface PlanCounters {
  readonly urgent: number;
  readonly refresh: number;
}

/** Selects work to claim, oldest first. */
export interface ClaimRequest {
  readonly holder: string;
  /**
   * The time up to which work is due and from which the lease counts. Default: the database's clock, so that holders on
   * machines with different clocks agree.
   */
  readonly now?: number;
  readonly leaseMs: number;
  readonly limit: number;
  /** Claims only these kinds. */
  readonly kinds: readonly string[];
}

/**
 * The result of a claim; completing it releases the claim. An urgent cause or a refresh time planned since the claim
 * stays. If the lease expired and another holder has the claim, the completion is ignored.
 */
export interface Completion {
  readonly resourceId: string;
  readonly holder: string;
  readonly counters: PlanCounters;
  /** When the message was sent; undefined if none was sent. */
  readonly pulsedTime: number | undefined;
  /** When to pulse the resource again. */
  readonly refreshTime: number | undefined;
}
