import { formatKey, kindId } from "@levelset/core";
import type { Clock, Kind, KubeObject, ObjectKey } from "@levelset/core";
import { digestOf } from "./digest.ts";
import { disputeOf } from "./dispute.ts";
import type { Dispute } from "./dispute.ts";
import { CALM, counted, delayMs } from "./throttle.ts";
import type { Throttle, ThrottleLimits } from "./throttle.ts";

/**
 * When an object counts as contested. A HorizontalPodAutoscaler acts every 15 s (`--horizontal-pod-autoscaler-sync-period`), so the window
 * holds enough of its rounds.
 */
export const CONTENTION: ThrottleLimits = { max: 5, windowMs: 120_000, firstMs: 1_000, maxMs: 300_000 };

/** More objects than this are not remembered; an object that is forgotten counts anew. */
const OBJECTS_MAX = 50_000;

/** An object that we and another client overwrite in turn. */
export interface Contest {
  readonly dispute: Dispute;
  /** Whether the other client has just undone one more write, rather than that we still wait. */
  readonly isNew: boolean;
  /** When to reconcile the object again: the next write is due then, or the contest is over. */
  readonly afterMs: number;
}

/** What is known of the writes of one object. Immutable. */
export interface WriteHistory {
  /** A digest of what was written last. */
  readonly desired: string;
  readonly writtenAt: number;
  /** Counts how often another client undid it. */
  readonly reverts: Throttle;
  /** The last time. */
  readonly dispute: Dispute | undefined;
}

/**
 * The history after a write. The first write of a desired state counts for nothing: the object differed because the desired state is new. A
 * later write of the same that changed something has put back what another client had undone.
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

/** How long an object that differs from what is desired must not be written yet. */
export function heldMs({ reverts }: WriteHistory, now: number): number {
  return delayMs(reverts, now);
}

/** How long an object that is as desired must stay so until it is contested no more: a window after our last write. */
export function recoveryMs({ reverts, writtenAt }: WriteHistory, now: number, { windowMs }: ThrottleLimits): number {
  return reverts.level === 0 ? 0 : Math.max(0, writtenAt + windowMs - now);
}

/** Identifies a writer of ours and one object that it writes. */
export interface ContentionTarget {
  /** Identifies the writer: the object on whose behalf the other one is written. */
  readonly writer: string;
  readonly kind: Kind;
  readonly key: ObjectKey;
  /** Anything that is the same while the desired state is. */
  readonly desired: unknown;
}

/**
 * Detects other clients that undo our writes, object by object: another controller, a second operator, a person with a script, the garbage
 * collector. Where that happens again and again the object is contested, and its writes are delayed more and more. The state lives in the
 * process; a restart counts anew.
 */
export class Contention {
  readonly #clock: Clock;
  readonly #limits: ThrottleLimits;
  readonly #max: number;
  /** Those written last come last. */
  readonly #histories = new Map<string, WriteHistory>();

  constructor(clock: Clock, limits: ThrottleLimits = CONTENTION, max: number = OBJECTS_MAX) {
    this.#clock = clock;
    this.#limits = limits;
    this.#max = max;
  }

  /** One object, before it is written. `report` receives the contest that is found, at most once. */
  of(target: ContentionTarget, report: (contest: Contest) => void = () => {}): ObjectContention {
    const id = idOf(target);
    return new ObjectContention(target, this.#clock, this.#limits, report, {
      get: () => this.#histories.get(id),
      set: (history) => this.#set(id, history),
    });
  }

  #set(id: string, history: WriteHistory | undefined): void {
    this.#histories.delete(id);
    if (history === undefined) return;
    this.#histories.set(id, history);
    const [oldest] = this.#histories.keys();
    if (this.#histories.size > this.#max && oldest !== undefined) this.#histories.delete(oldest);
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

  /** The object differs from what is desired. Returns the contest if it must not be written now. */
  hold(): Contest | undefined {
    const history = this.#known();
    return history === undefined ? undefined : this.#contest(history, heldMs(history, this.#clock.monotonic()), false);
  }

  /** The object is as desired. Returns the contest if that was undone too recently. */
  seen(): Contest | undefined {
    const history = this.#cell.get();
    if (history === undefined || history.reverts.level === 0) return undefined;
    const leftMs = history.desired === this.#desired ? recoveryMs(history, this.#clock.monotonic(), this.#limits) : 0;
    if (leftMs === 0) this.#cell.set(undefined);
    return this.#contest(history, leftMs, false);
  }

  /** The object was written: `before` is what the write found, undefined where there was none. Returns the contest if there is one. */
  wrote(before: KubeObject | undefined, after: KubeObject): Contest | undefined {
    const now = this.#clock.monotonic();
    const known = this.#known();
    const dispute = known === undefined ? undefined : disputeOf(this.#target.kind, before, after);
    if (known !== undefined && dispute === undefined) return this.seen();
    const history = historyAfter(known, this.#desired, dispute, now, this.#limits);
    this.#cell.set(history);
    return this.#contest(history, recoveryMs(history, now, this.#limits), dispute !== undefined);
  }

  /** The object goes, or went, in the normal course of things: the next write of it counts as the first. */
  forget(): void {
    this.#cell.set(undefined);
  }

  /** What is known of writes of the present desired state. */
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
