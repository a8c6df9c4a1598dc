import type { Resource } from "../resource/index.ts";
import type { TenantScope } from "./stored.ts";

/** A place in the order of commits. Opaque; comparable only for being the same. */
export type FeedPosition = string;

/**
 * That a resource is another one than before, or gone. The feed is of states, not of steps: a resource that changed twice since the
 * position is in it once, as it is now.
 */
export type FeedChange =
  | {
      readonly kind: "present";
      readonly resource: Resource;
      readonly revision: number;
      readonly position: FeedPosition;
    }
  | { readonly kind: "gone"; readonly resource: Resource; readonly position: FeedPosition };

/** What to read of the feed. */
export interface FeedQuery {
  readonly scope: TenantScope;
  readonly after: FeedPosition;
  readonly limit: number;
  readonly kind?: string;
}

/** A part of the feed. `expired`: the position is older than what is kept of removed resources, so list again. */
export type FeedPart =
  | { readonly kind: "changes"; readonly changes: readonly FeedChange[]; readonly position: FeedPosition }
  | { readonly kind: "expired" };
