import type { Change } from "./feed.ts";

/**
 * Something that keeps a part of the cluster true. It decides by what the store says now, not by what has changed: a change
 * only tells where to look.
 */
export interface Controller {
  readonly name: string;
  /** The keys to look at after a change. */
  affected(change: Change): Iterable<string>;
  /** Makes what a key stands for true; answers after how many milliseconds to look again, if at all. */
  sync(key: string): Promise<number | undefined>;
  /** Called once with what makes a key be looked at, for reasons other than a change. */
  onWish?(look: (key: string) => void): void;
}
