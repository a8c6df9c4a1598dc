import type { Lease, ObjectOf } from "@levelset/core";

/** A lease as the server has it. */
export type LeaseObject = ObjectOf<typeof Lease>;

/** What we last saw of a lease, and when by our own clock: other clocks may be wrong. */
export interface Sighting {
  readonly resourceVersion: string;
  readonly seenAt: number;
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

/** Decides what to do about a lease. `sighting` is of this very version of it. */
export function claim(lease: LeaseObject | undefined, sighting: Sighting, identity: string, now: number): Claim {
  if (lease === undefined) return { kind: "create" };
  const { holderIdentity: holder = "", leaseDurationSeconds: seconds = 0 } = lease.spec ?? {};
  if (holder === identity) return { kind: "renew", lease };
  if (holder === "" || now >= sighting.seenAt + seconds * 1_000) return { kind: "take", lease };
  return { kind: "wait", holder };
}
