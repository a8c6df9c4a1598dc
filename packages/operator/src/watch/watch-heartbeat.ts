/** Minimum idle time before a watch is considered dead. */
const IDLE_MIN_MS = 30_000;
/** The idle limit as a multiple of the longest pause. */
const PAUSES = 3;

/**
 * Computes how long a watch may be idle before its connection is considered dead. Servers send bookmarks about once a
 * minute, at different intervals; the limit is a multiple of the longest pause between two bookmarks. A watch without
 * bookmarks has no limit.
 */
export class WatchHeartbeat {
  #last: number | undefined;
  #longestMs = 0;

  /** Records a bookmark. */
  observe(nowMs: number): void {
    if (this.#last !== undefined) this.#longestMs = Math.max(this.#longestMs, nowMs - this.#last);
    this.#last = nowMs;
  }

  /** Starts a new connection; the time since the last bookmark is not counted as a pause. */
  restart(): void {
    this.#last = undefined;
  }

  /** The idle limit; undefined before the second bookmark. */
  get idleMaxMs(): number | undefined {
    return this.#longestMs === 0 ? undefined : Math.max(IDLE_MIN_MS, PAUSES * this.#longestMs);
  }
}
