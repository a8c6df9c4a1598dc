import type { TopicMessage } from "../../api/index.ts";

/** An update of a topic with its position. */
export interface TopicUpdate {
  readonly position: string;
  readonly message: TopicMessage;
}

/** A topic that streams can subscribe to. */
export interface Topic {
  /** Returns the changes since a position, or undefined if there are none. */
  next(position: string, signal: AbortSignal): Promise<TopicUpdate | undefined>;
  /** Calls the listener when there may be changes; returns the unsubscribe function. */
  subscribe(listener: () => void): () => void;
  /** Refresh interval; undefined if listeners are notified of every change. */
  readonly refreshMs: number | undefined;
}
