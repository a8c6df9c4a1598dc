import { elapsedAtLeast } from "@levelset/core";
import type { Instant, Lease, ObjectOf } from "@levelset/core";

/** A lease as the server has it. */
export type LeaseObject = ObjectOf<typeof Lease>;

/** What we last saw of a lease, and when by our own clocks: those of other machines may be wrong. */
export interface Sighting {
  readonly resourceVersion: string;
  readonly seenAt: Instant;
}

/**
 * The sighting after a look at a lease. A version that is known keeps its moment. A wall clock that was stepped back beyond that moment
 * starts the wait anew, so that it ends after one more lease and not only when the wall clock has caught up.
 */
export function sight(known: Sighting | undefined, resourceVersion: string, now: Instant): Sighting {
  if (known?.resourceVersion !== resourceVersion || now.wallMs < known.seenAt.wallMs)
    return { resourceVersion, seenAt: now };
  return known;
}

/** What may be done about a lease now. */
export type Claim =
  /** There is none. */
  | { readonly kind: "create" }
  /** Ours already. */
  | { readonly kind: "renew"; readonly lease: LeaseObject }
  /** Nobody's, or its holder has not renewed it for as long as it said it would. */
  | { readonly kind: "take"; readonly lease: LeaseObject }
  /** Somebody else's. */
  | { readonly kind: "wait"; readonly holder: string };

/**
 * Decides what to do about a lease. `sighting` is of this very version of it. The lease of another holder is taken only when both of our clocks say that
 * it has expired: a wall clock that is stepped forward must not end it early, and neither must monotonic time alone.
 */
export function claim(
  lease: LeaseObject | undefined,
  sighting: Sighting | undefined,
  identity: string,
  now: Instant,
): Claim {
  if (lease === undefined) return { kind: "create" };
  const { holderIdentity: holder = "", leaseDurationSeconds: seconds = 0 } = lease.spec ?? {};
  if (holder === identity) return { kind: "renew", lease };
  const isExpired = sighting !== undefined && elapsedAtLeast(sighting.seenAt, now) >= seconds * 1_000;
  if (holder === "" || isExpired) return { kind: "take", lease };
  return { kind: "wait", holder };
}
