import type { TopicMessage } from "../api/index.ts";

/** What a follower is told of a topic, and where it is then. */
export interface TopicNews {
  readonly position: string;
  readonly message: TopicMessage;
}

/** Something that can be followed. */
export interface Topic {
  /** What is new since a position; undefined when nothing is. */
  next(position: string, signal: AbortSignal): Promise<TopicNews | undefined>;
  /** Calls when there may be something new, until the answer is called. */
  subscribe(listener: () => void): () => void;
  /** After how long to look again even if nobody called; undefined where every change is called. */
  readonly everyMs: number | undefined;
}
