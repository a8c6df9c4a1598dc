import type { Stored } from "./stored.ts";

/**
 * Why a resource is to be pulsed at once: its declaration is new, changed or to be deleted; or one of its adapters came to another
 * verdict, which the others may wait for.
 */
export type UrgentCause = "create" | "change" | "delete" | "wake";

/**
 * When a resource is to be looked at next. Written with the change that made it so. An urgent cause stands until a pulse that was claimed
 * after it is completed; "wake" never replaces another urgent cause. `refreshTime` replaces the one before; undefined: never.
 */
export interface PlannedWork {
  readonly resourceId: string;
  readonly kind: string;
  readonly urgent?: { readonly time: number; readonly cause: UrgentCause };
  readonly refreshTime: number | undefined;
}

/** What is planned for one resource. */
export interface WorkNote {
  readonly cause: UrgentCause | "refresh";
  /** When it is to be looked at; undefined if only a change can make it due. */
  readonly dueTime: number | undefined;
  /** When a message was last sent for it; undefined if never. */
  readonly pulsedTime: number | undefined;
}

/** A resource whose time has come, for one holder until its lease ends. */
export interface Claim {
  readonly stored: Stored;
  readonly cause: UrgentCause | "refresh";
  /** When it became due. */
  readonly dueTime: number;
  /** When a message was last sent for it. */
  readonly pulsedTime: number | undefined;
  readonly holder: string;
  /** What was planned when it was claimed. A later plan is another one. */
  readonly plan: WorkPlan;
}

/** Counters of what was planned. */
export interface WorkPlan {
  readonly urgent: number;
  readonly refresh: number;
}

/** What to claim. Oldest first. */
export interface ClaimRequest {
  readonly holder: string;
  /**
   * By which time work is due, and from which the lease counts. Left out: by the database's own clock, so that holders on machines with different
   * clocks agree.
   */
  readonly now?: number;
  readonly leaseMs: number;
  readonly limit: number;
  /** Only these kinds. */
  readonly kinds: readonly string[];
}

/**
 * What a holder did with a claim. It gives the claim back. An urgent cause that was planned since the claim stands, and so does a refresh
 * time. A claim whose lease has ended and which somebody else holds now is left alone.
 */
export interface Completion {
  readonly resourceId: string;
  readonly holder: string;
  readonly plan: WorkPlan;
  /** When the message was sent; undefined if none was. */
  readonly pulsedTime: number | undefined;
  /** When to look again. */
  readonly refreshTime: number | undefined;
}
