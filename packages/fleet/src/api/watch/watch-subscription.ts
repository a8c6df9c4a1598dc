import { Signal } from "@levelset/core/internal";
import type { Clock } from "@levelset/core";
import type { FeedPosition } from "../../store/index.ts";
import type { FeedEvent } from "./feed-event.ts";

/** Why a subscription ended: the reader is too slow, the position expired, or the hub closed. */
export type WatchEndReason = "overrun" | "expired" | "closed";

/** The buffered changes of one watcher. Bounded: a slow watcher is disconnected and may resume. */
export class WatchSubscription {
  readonly #backlogMax: number;
  readonly #onOverrun: () => void;
  readonly #changed: Signal;
  #backlog: FeedEvent[] = [];
  #position: FeedPosition = "";
  #end: WatchEndReason | undefined;

  constructor(options: { readonly backlogMax: number; readonly onOverrun: () => void; readonly clock: Clock }) {
    this.#backlogMax = options.backlogMax;
    this.#onOverrun = options.onOverrun;
    this.#changed = new Signal(options.clock);
  }

  /** Why the subscription ended; undefined while it is open. Changes before the end can still be taken. */
  get ended(): WatchEndReason | undefined {
    return this.#end;
  }

  /** The position up to which all changes have been pushed. */
  get position(): FeedPosition {
    return this.#position;
  }

  /** Appends changes, complete up to `position`. */
  push(events: readonly FeedEvent[], position: FeedPosition): void {
    if (this.#end !== undefined) return;
    this.#backlog.push(...events);
    this.#position = position;
    if (this.#backlog.length > this.#backlogMax) {
      this.#backlog = [];
      this.end("overrun");
      this.#onOverrun();
    }
    if (events.length > 0) this.#changed.notify();
  }

  /** Ends the subscription; later changes are ignored. */
  end(why: WatchEndReason): void {
    this.#end ??= why;
    this.#changed.notify();
  }

  /** Removes and returns up to `count` changes. */
  take(count: number): readonly FeedEvent[] {
    return this.#backlog.splice(0, count);
  }

  /** Waits until changes are available, the subscription ends, or the timeout. */
  async wait(ms: number): Promise<void> {
    this.#changed.take();
    if (this.#backlog.length === 0 && this.#end === undefined) await this.#changed.wait(ms);
  }
}
