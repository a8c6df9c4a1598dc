import type { AdapterStatus, Resource, TextMap } from "../resource/index.ts";

/**
 * A resource as it was read, with all that decisions about it are made of. `revision` counts every change that was committed to it,
 * reports and the coming and going of children among them: a decision made on this holds only while the revision is the same.
 * It is 1 when the resource is created, and one more after every change that updates or touches it.
 */
export interface Stored {
  readonly resource: Resource;
  readonly revision: number;
  readonly statuses: readonly AdapterStatus[];
  /** How many children it has, those that are being deleted among them. */
  readonly children: number;
}

/** Whose resources may be seen: everybody's, or those of exactly one tenant. */
export type TenantScope = { readonly kind: "all" } | { readonly kind: "tenant"; readonly tenancy: TextMap };

/** Everybody's resources. */
export const EVERY_TENANT: TenantScope = { kind: "all" };

/** One resource, as a path names it. What is of another kind, owner or tenant is not found. */
export interface ResourceKey {
  readonly id: string;
  readonly kind?: string;
  readonly ownerId?: string;
  readonly scope: TenantScope;
}
