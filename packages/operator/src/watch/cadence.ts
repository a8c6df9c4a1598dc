/** A watch is never taken for dead sooner than this. */
const IDLE_MIN_MS = 30_000;
/** How many of its longest pauses a watch may be silent. */
const PAUSES = 3;

/**
 * How long a watch may be silent before its connection counts as dead. Servers that send bookmarks do so about once a minute, each
 * at its own pace: the limit follows the longest pause between two of them. A watch without bookmarks has no rhythm, and no limit.
 */
export class Cadence {
  #last: number | undefined;
  #longestMs = 0;

  /** A bookmark came. */
  observe(nowMs: number): void {
    if (this.#last !== undefined) this.#longestMs = Math.max(this.#longestMs, nowMs - this.#last);
    this.#last = nowMs;
  }

  /** Another connection: the pause that it began with says nothing. */
  restart(): void {
    this.#last = undefined;
  }

  /** The limit; undefined while the rhythm is unknown. */
  get idleMaxMs(): number | undefined {
    return this.#longestMs === 0 ? undefined : Math.max(IDLE_MIN_MS, PAUSES * this.#longestMs);
  }
}
