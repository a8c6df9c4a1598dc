import { BACKOFFS } from "@levelset/core/internal";
import { formatKey, kindId } from "@levelset/core";
import { LruCache } from "@levelset/core/internal";
import type { Clock, Kind, KubeObject, ObjectKey } from "@levelset/core";
import { digestOf } from "./digest.ts";
import { disputeOf } from "./dispute.ts";
import type { Dispute } from "./dispute.ts";
import { CALM, counted, delayMs } from "./throttle.ts";
import type { Throttle, ThrottleLimits } from "./throttle.ts";

/**
 * Limits from which an object counts as contested. A HorizontalPodAutoscaler acts every 15 s
 * (`--horizontal-pod-autoscaler-sync-period`), so it acts often enough within the window.
 */
export const CONTENTION: ThrottleLimits = { max: 5, windowMs: 120_000, ...BACKOFFS.contention };

/** Maximum number of tracked objects. The count of an evicted object starts again. */
const OBJECTS_MAX = 50_000;

/** The contention over an object that we and another client overwrite in turn. */
export interface Contest {
  readonly dispute: Dispute;
  /** True if the other client has reverted another write; false if the next write is only delayed. */
  readonly isNew: boolean;
  /** Delay until the next write is due or the contention is over. */
  readonly afterMs: number;
}

/** The write history of one object. Immutable. */
export interface WriteHistory {
  /** Digest of the desired state of the last write. */
  readonly desired: string;
  readonly writtenAt: number;
  /** Counts how often another client reverted it. */
  readonly reverts: Throttle;
  /** The last dispute. */
  readonly dispute: Dispute | undefined;
}

/**
 * Returns the history after a write. The first write of a desired state is not counted: the object differed because the
 * desired state is new. A later write of the same state that changed a field has restored what another client reverted.
 */
export function historyAfter(
  history: WriteHistory | undefined,
  desired: string,
  dispute: Dispute | undefined,
  now: number,
  limits: ThrottleLimits,
): WriteHistory {
  if (history === undefined || history.desired !== desired) {
    return { desired, writtenAt: now, reverts: CALM, dispute: undefined };
  }
  if (dispute === undefined) return history;
  return { desired, writtenAt: now, reverts: counted(history.reverts, now, limits), dispute };
}

/** Returns how long the next write of an object that differs from the desired state is delayed. */
export function heldMs({ reverts }: WriteHistory, now: number): number {
  return delayMs(reverts, now);
}

/** Returns how long an object must stay unchanged until it is no longer contested: a window after our last write. */
export function recoveryMs({ reverts, writtenAt }: WriteHistory, now: number, { windowMs }: ThrottleLimits): number {
  return reverts.level === 0 ? 0 : Math.max(0, writtenAt + windowMs - now);
}

/** Identifies a writer of this process and one object that it writes. */
export interface ContentionTarget {
  /** Identifies the writer: the object on whose behalf the other one is written. */
  readonly writer: string;
  readonly kind: Kind;
  readonly key: ObjectKey;
  /** Must be equal while the desired state is equal. */
  readonly desired: unknown;
}

/**
 * Detects other clients that revert our writes, per object: another controller, a second operator, a script, the
 * garbage collector. If that happens repeatedly, the object is contested, and its writes are delayed with backoff. The
 * state is in memory, so a restart resets it.
 */
export class Contention {
  readonly #clock: Clock;
  readonly #limits: ThrottleLimits;
  readonly #histories: LruCache<string, WriteHistory>;

  constructor(clock: Clock, limits: ThrottleLimits = CONTENTION, max: number = OBJECTS_MAX) {
    this.#clock = clock;
    this.#limits = limits;
    this.#histories = new LruCache(max);
  }

  /** Returns the contention of one object, before it is written. Calls `report` at most once, if it is contested. */
  of(target: ContentionTarget, report: (contest: Contest) => void = () => {}): ObjectContention {
    const id = idOf(target);
    return new ObjectContention(target, this.#clock, this.#limits, report, {
      get: () => this.#histories.get(id),
      set: (history) => this.#set(id, history),
    });
  }

  #set(id: string, history: WriteHistory | undefined): void {
    if (history === undefined) this.#histories.delete(id);
    else this.#histories.set(id, history);
  }
}

function idOf({ writer, kind, key }: ContentionTarget): string {
  return `${writer} ${kindId(kind)} ${formatKey(key)}`;
}

interface HistoryCell {
  get(): WriteHistory | undefined;
  set(history: WriteHistory | undefined): void;
}

/** The contention over one object, in one run. */
export class ObjectContention {
  readonly #target: ContentionTarget;
  readonly #clock: Clock;
  readonly #limits: ThrottleLimits;
  readonly #report: (contest: Contest) => void;
  readonly #cell: HistoryCell;
  #digest: string | undefined;

  constructor(
    target: ContentionTarget,
    clock: Clock,
    limits: ThrottleLimits,
    report: (contest: Contest) => void,
    cell: HistoryCell,
  ) {
    this.#target = target;
    this.#clock = clock;
    this.#limits = limits;
    this.#report = report;
    this.#cell = cell;
  }

  /** Whether the next write may find the object contested, so that it should start from a copy with managedFields. */
  get needsManagers(): boolean {
    const { reverts } = this.#known() ?? {};
    return reverts !== undefined && (reverts.level > 0 || reverts.times.length >= this.#limits.max - 1);
  }

  /** Whether this process has written the object before, and not deleted it since. */
  get wasWritten(): boolean {
    return this.#cell.get() !== undefined;
  }

  /** Call if the object differs from the desired state. Returns the contest if the write must be delayed. */
  hold(): Contest | undefined {
    const history = this.#known();
    return history === undefined ? undefined : this.#contest(history, heldMs(history, this.#clock.monotonic()), false);
  }

  /** Call if the object is up to date. Returns the contest if a write was reverted too recently. */
  seen(): Contest | undefined {
    const history = this.#cell.get();
    if (history === undefined || history.reverts.level === 0) return undefined;
    const leftMs = history.desired === this.#desired ? recoveryMs(history, this.#clock.monotonic(), this.#limits) : 0;
    if (leftMs === 0) this.#cell.set(undefined);
    return this.#contest(history, leftMs, false);
  }

  /**
   * Call after a write. `before` is the object before the write, undefined if it did not exist. Returns the contest if
   * the object is contested.
   */
  wrote(before: KubeObject | undefined, after: KubeObject): Contest | undefined {
    const now = this.#clock.monotonic();
    const known = this.#known();
    const dispute = known === undefined ? undefined : disputeOf(this.#target.kind, before, after);
    if (known !== undefined && dispute === undefined) return this.seen();
    const history = historyAfter(known, this.#desired, dispute, now, this.#limits);
    this.#cell.set(history);
    return this.#contest(history, recoveryMs(history, now, this.#limits), dispute !== undefined);
  }

  /** Call if the object is deleted intentionally: its next write counts as the first. */
  forget(): void {
    this.#cell.set(undefined);
  }

  /** Returns the history of the current desired state. */
  #known(): WriteHistory | undefined {
    const history = this.#cell.get();
    return history?.desired === this.#desired ? history : undefined;
  }

  get #desired(): string {
    this.#digest ??= digestOf(this.#target.desired);
    return this.#digest;
  }

  #contest({ dispute }: WriteHistory, afterMs: number, isNew: boolean): Contest | undefined {
    if (dispute === undefined || afterMs === 0) return undefined;
    const contest = { dispute, isNew, afterMs };
    this.#report(contest);
    return contest;
  }
}
