import type { SearchNode } from "../search/index.ts";
import type { FieldMask } from "../search/index.ts";
import type { Caller } from "../service/index.ts";
import type { HandlerResponse } from "./route.ts";

/** Selects the resources to watch. */
export interface WatchQuery {
  readonly caller: Caller;
  readonly kind?: string;
  readonly ownerId?: string;
  readonly search?: SearchNode;
  /** Only resources that refer to this target. */
  readonly reference?: { readonly type: string; readonly targetId: string };
  /** The selected fields. */
  readonly selection: FieldMask | undefined;
  /** The position to resume from: the header Last-Event-ID. */
  readonly lastEventId: string | undefined;
  readonly signal: AbortSignal;
}

/** Serves `?watch=true` with a stream of changes. */
export interface Watcher {
  /** Opens a watch. Throws an `HttpProblem`: NTF-004 if the position has expired. */
  watch(request: WatchQuery): Promise<HandlerResponse>;
}
