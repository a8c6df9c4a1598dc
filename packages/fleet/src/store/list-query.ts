import type { Order, SearchNode } from "../search/index.ts";
import type { Resource } from "../resource/index.ts";
import type { TenantScope } from "./stored-resource.ts";

/** Selects, orders and pages resources. */
export interface ListQuery {
  readonly scope: TenantScope;
  readonly kind?: string;
  readonly ownerId?: string;
  readonly search?: SearchNode;
  /** Only resources that refer to this target. */
  readonly reference?: { readonly type: string; readonly targetId: string };
  readonly order: Order;
  readonly page: PageRequest;
}

/** A numbered page, or the resources after a cursor. */
export type PageRequest =
  | { readonly kind: "page"; readonly page: number; readonly size: number }
  | { readonly kind: "after"; readonly position: ListCursor | undefined; readonly size: number };

/**
 * A position in an order: the values of the order terms and the resource ID. Encoded as an opaque string for clients.
 */
export interface ListCursor {
  readonly values: readonly (string | number | null)[];
  readonly id: string;
}

/** One page of a list. */
export interface ListResult {
  readonly items: readonly ListedResource[];
  /** The total number of matches; only counted for numbered pages. */
  readonly total: number | undefined;
  /** The cursor of the next page; undefined at the end. */
  readonly next: ListCursor | undefined;
}

/** A resource in a list. */
export interface ListedResource {
  readonly resource: Resource;
  readonly revision: number;
}
