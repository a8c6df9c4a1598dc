import type { KubeObject } from "@levelset/core";
import type { WaitProgress } from "./wait-progress.ts";

/**
 * Why a wait ended without reaching its goal: the object `Failed` for its latest generation, was `Deleted` (or
 * recreated, or is being deleted), has `NoSuchCondition`, or the time was over (`Timeout`).
 */
export type WaitErrorReason = "Failed" | "Deleted" | "NoSuchCondition" | "Timeout";

/** A wait ended without reaching its goal. Only after `Timeout` may a longer wait succeed. */
export class WaitError<O extends KubeObject = KubeObject> extends Error {
  override readonly name: string = "WaitError";
  readonly reason: WaitErrorReason;
  /** The last state that was seen. */
  readonly progress: WaitProgress<O>;

  constructor(reason: WaitErrorReason, message: string, progress: WaitProgress<O>) {
    super(message);
    this.reason = reason;
    this.progress = progress;
  }

  /** The last version that was read; undefined if there was none. */
  get object(): O | undefined {
    return this.progress.object;
  }
}
