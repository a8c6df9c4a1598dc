import type { Resource } from "../resource/index.ts";
import type { TenantScope } from "./stored-resource.ts";

/** A position in commit order. Opaque; only equality is meaningful. */
export type FeedPosition = string;

/**
 * A resource that changed or was removed. The feed contains states, not individual changes: a resource that changed
 * twice since the position appears once, in its current state.
 */
export type FeedChange =
  | {
      readonly kind: "present";
      readonly resource: Resource;
      readonly revision: number;
      readonly position: FeedPosition;
    }
  | { readonly kind: "gone"; readonly resource: Resource; readonly position: FeedPosition };

/** Selects a part of the feed. */
export interface FeedQuery {
  readonly scope: TenantScope;
  readonly after: FeedPosition;
  readonly limit: number;
  readonly kind?: string;
}

/** A page of the feed. `expired`: the position is older than the retained removals, so the caller must list again. */
export type FeedPage =
  | { readonly kind: "changes"; readonly changes: readonly FeedChange[]; readonly position: FeedPosition }
  | { readonly kind: "expired" };
