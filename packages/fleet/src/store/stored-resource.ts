import type { AdapterStatus, Resource, TextMap } from "../resource/index.ts";

/**
 * A resource as it was read, with everything that decisions depend on. `revision` counts the changes committed to it,
 * including reports and the creation or removal of children: a decision is valid only while the revision is unchanged.
 * It is 1 on creation and increments with every change that updates or touches the resource.
 */
export interface StoredResource {
  readonly resource: Resource;
  readonly revision: number;
  readonly statuses: readonly AdapterStatus[];
  /** The number of children, including those being deleted. */
  readonly children: number;
}

/** Restricts access to the resources of one tenant, or allows all. */
export type TenantScope = { readonly kind: "all" } | { readonly kind: "tenant"; readonly tenancy: TextMap };

/** Allows the resources of all tenants. */
export const EVERY_TENANT: TenantScope = { kind: "all" };

/** Addresses one resource the way a path does. A resource of another kind, owner or tenant is not found. */
export interface ResourceKey {
  readonly id: string;
  readonly kind?: string;
  readonly ownerId?: string;
  readonly scope: TenantScope;
}
