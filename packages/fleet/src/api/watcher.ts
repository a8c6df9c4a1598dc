import type { SearchNode } from "../search/index.ts";
import type { Selection } from "../search/index.ts";
import type { Caller } from "../service/index.ts";
import type { Answer } from "./route.ts";

/** What a caller wants to hear of. */
export interface WatchRequest {
  readonly caller: Caller;
  readonly kind?: string;
  readonly ownerId?: string;
  readonly search?: SearchNode;
  /** Only those that refer to a resource. */
  readonly reference?: { readonly type: string; readonly targetId: string };
  /** What is shown of each. */
  readonly selection: Selection | undefined;
  /** Where it was before: the header Last-Event-ID. */
  readonly lastEventId: string | undefined;
  readonly signal: AbortSignal;
}

/** Answers `?watch=true` with a stream of what changes. */
export interface Watcher {
  /** Throws a problem: NTF-004 when the position is too old. */
  watch(request: WatchRequest): Promise<Answer>;
}
