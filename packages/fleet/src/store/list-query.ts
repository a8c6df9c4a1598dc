import type { Order, SearchNode } from "../search/index.ts";
import type { Resource } from "../resource/index.ts";
import type { TenantScope } from "./stored.ts";

/** Which resources, in which order, and which part of them. */
export interface ListQuery {
  readonly scope: TenantScope;
  readonly kind?: string;
  readonly ownerId?: string;
  readonly search?: SearchNode;
  /** Only those that refer to a resource. */
  readonly reference?: { readonly type: string; readonly targetId: string };
  readonly order: Order;
  readonly part: ListPart;
}

/** A numbered page; or what follows a resource in the order, however many come before it. */
export type ListPart =
  | { readonly kind: "page"; readonly page: number; readonly size: number }
  | { readonly kind: "after"; readonly position: ListPosition | undefined; readonly size: number };

/** Where a resource stands in an order: the values of the order's terms, and its id. Goes to users as an opaque text. */
export interface ListPosition {
  readonly values: readonly (string | number | null)[];
  readonly id: string;
}

/** A part of a list. */
export interface ListedPart {
  readonly items: readonly ListedResource[];
  /** How many there are in all; counted for pages only. */
  readonly total: number | undefined;
  /** Where the next part begins; undefined at the end. */
  readonly next: ListPosition | undefined;
}

/** A resource in a list. */
export interface ListedResource {
  readonly resource: Resource;
  readonly revision: number;
}
