import { elapsedAtLeast } from "@levelset/core/internal";
import type { Instant } from "@levelset/core/internal";
import type { Lease, ObjectOf } from "@levelset/core";

/** A lease as the server has it. */
export type LeaseObject = ObjectOf<typeof Lease>;

/** The last observed version of a lease, and its time by our own clocks: clocks of other machines may be wrong. */
export interface LeaseObservation {
  readonly resourceVersion: string;
  readonly observedAt: Instant;
}

/**
 * Returns the observation after a read of a lease. A version that was observed before keeps its time. If the wall clock
 * was stepped back beyond that time, the wait starts again, so that it ends after one more lease duration and not only
 * when the wall clock has caught up.
 */
export function observeLease(
  last: LeaseObservation | undefined,
  resourceVersion: string,
  now: Instant,
): LeaseObservation {
  if (last?.resourceVersion !== resourceVersion || now.wallMs < last.observedAt.wallMs)
    return { resourceVersion, observedAt: now };
  return last;
}

/** The action that is allowed on a lease now. */
export type LeaseDecision =
  /** The lease does not exist. */
  | { readonly kind: "create" }
  /** This process holds the lease. */
  | { readonly kind: "renew"; readonly lease: LeaseObject }
  /** The lease has no holder, or has expired. */
  | { readonly kind: "take"; readonly lease: LeaseObject }
  /** Another process holds the lease. */
  | { readonly kind: "wait"; readonly holder: string };

/**
 * Decides what to do about a lease. `observation` must be of this version of the lease. The lease of another holder is
 * taken only after it has expired by both of our clocks: neither a wall clock that is stepped forward nor monotonic
 * time alone ends it early.
 */
export function decideLease(
  lease: LeaseObject | undefined,
  observation: LeaseObservation | undefined,
  identity: string,
  now: Instant,
): LeaseDecision {
  if (lease === undefined) return { kind: "create" };
  const { holderIdentity: holder = "", leaseDurationSeconds: seconds = 0 } = lease.spec ?? {};
  if (holder === identity) return { kind: "renew", lease };
  const isExpired = observation !== undefined && elapsedAtLeast(observation.observedAt, now) >= seconds * 1_000;
  if (holder === "" || isExpired) return { kind: "take", lease };
  return { kind: "wait", holder };
}
