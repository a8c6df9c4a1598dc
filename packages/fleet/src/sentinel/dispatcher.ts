import { toError } from "@levelset/core";
import type { Clock, Logger, Random } from "@levelset/core";
import { backoffMs } from "@levelset/operator";
import type { FleetKind, RefreshTtl } from "../resource/index.ts";
import type { Claim, FleetStore } from "../store/index.ts";
import { Bell } from "./bell.ts";
import { Completions } from "./completions.ts";
import { judge } from "./judgement.ts";
import type { PulsePublisher } from "./pulse-publisher.ts";
import type { PulseRule } from "./pulse-rule.ts";
import { RareLog } from "./rare-log.ts";
import type { SentinelMetrics } from "./sentinel-metrics.ts";

/** A kind that is pulsed, and how. */
export interface PulsedKind {
  readonly kind: FleetKind;
  readonly rules: readonly PulseRule[];
  readonly ttl: RefreshTtl;
}

/** Bounds of a dispatcher. */
export interface DispatchLimits {
  /** How long a claim is held at most. What was claimed and not completed is somebody's again after it. */
  readonly leaseMs: number;
  /** How many claims are held at the same time. */
  readonly inFlightMax: number;
  /** How long it takes at least from one claim to the next. */
  readonly gapMs: number;
  /** How long a refresh may wait for others, so that many are claimed at once. */
  readonly refreshGapMs: number;
  /** How often to look without a hint. */
  readonly pollMs: number;
}

/** What a dispatcher needs. */
export interface DispatcherOptions {
  readonly store: Pick<FleetStore, "claim" | "complete" | "nextDueTime" | "onCommit" | "hasClock" | "now">;
  readonly publisher: PulsePublisher;
  /** By the names of the kinds. */
  readonly kinds: ReadonlyMap<string, PulsedKind>;
  /** Unlike that of any other process. */
  readonly holder: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: SentinelMetrics;
  readonly limits: DispatchLimits;
}

/** How often the store is asked when the next work is due, while commits come in. */
const ASK_MS = 1_000;
const BACKOFF = { firstMs: 200, maxMs: 5_000 };

/**
 * Claims what is due, sends its pulses, and tells the store when to look again. Sleeps until the next work is due and is woken by
 * commits. A claim that could not be pulsed is left to its lease, exactly as if this process had died: so there is one way back, and
 * a broker that is away is not asked without pause.
 */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #kinds: readonly string[];
  readonly #completions: Completions;
  readonly #pulses = new Set<Promise<void>>();
  readonly #hints: Bell;
  readonly #room: Bell;
  readonly #failures: RareLog;
  /** These three are in monotonic time. */
  #claimTime = Number.NEGATIVE_INFINITY;
  #turnTime: number;
  #askTime = Number.NEGATIVE_INFINITY;
  /** These two are in the store's time. */
  #nextDue = Number.POSITIVE_INFINITY;
  #restEnd = Number.NEGATIVE_INFINITY;
  #isStale = true;
  #sent = { taken: 0, refused: 0 };
  /** How many commits were heard of, ever and when the oldest claim was taken of which the store is still to be told. */
  #heard = 0;
  #heardAtTake = Number.POSITIVE_INFINITY;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#kinds = [...options.kinds.keys()];
    this.#completions = new Completions(options);
    this.#hints = new Bell(options.clock);
    this.#room = new Bell(options.clock);
    this.#failures = new RareLog(options);
    this.#turnTime = options.clock.monotonic();
  }

  /** When the store last said what is due, in monotonic time. */
  get claimTime(): number {
    return this.#claimTime;
  }

  /** When it last went around, with success or without, in monotonic time. */
  get turnTime(): number {
    return this.#turnTime;
  }

  /** Runs until `signal` aborts; then finishes what it has begun. */
  async run(signal: AbortSignal): Promise<void> {
    const drained = new AbortController();
    const telling = this.#completions.run(drained.signal, () => this.#told());
    const deafen = this.#options.store.onCommit(() => {
      this.#heard++;
      this.#hints.ring();
    });
    try {
      await this.#loop(signal);
    } finally {
      deafen();
    }
    await Promise.all(this.#pulses);
    drained.abort();
    await telling;
  }

  async #loop(signal: AbortSignal): Promise<void> {
    const { limits, random } = this.#options;
    let failures = 0;
    while (!signal.aborted) {
      this.#turnTime = this.#options.clock.monotonic();
      const room = limits.inFlightMax - this.#pulses.size - this.#completions.count;
      if (room < limits.inFlightMax / 4) {
        await this.#room.wait(limits.pollMs, signal);
        continue;
      }
      const claims = await this.#claim(room);
      failures = claims === undefined || this.#isRefused() ? failures + 1 : 0;
      for (const claim of claims ?? []) this.#take(claim);
      if (failures > 0) await this.#pause(backoffMs(failures, BACKOFF, random), signal);
      else if (claims !== undefined && claims.length < room) await this.#rest(signal);
    }
  }

  /** What was changed while it was held is free only now: nobody else will say so. */
  #told(): void {
    this.#room.ring();
    if (this.#heard > this.#heardAtTake) this.#hints.ring();
    if (this.#completions.count === 0) this.#heardAtTake = Number.POSITIVE_INFINITY;
  }

  /** Whether the broker has taken nothing of what was sent since this was last asked. */
  #isRefused(): boolean {
    const { taken, refused } = this.#sent;
    this.#sent = { taken: 0, refused: 0 };
    return refused > 0 && taken === 0;
  }

  async #claim(limit: number): Promise<readonly Claim[] | undefined> {
    const { store, clock, holder, limits, logger, metrics, kinds } = this.#options;
    const startMs = clock.monotonic();
    const request = { holder, leaseMs: limits.leaseMs, limit, kinds: this.#kinds };
    try {
      const claims = await store.claim(store.hasClock ? request : { ...request, now: Math.floor(clock.now()) });
      this.#claimTime = clock.monotonic();
      for (const { kind, rules } of kinds.values()) {
        const own = claims.filter(({ stored }) => stored.resource.kind === kind.kind);
        for (const { cause } of own) metrics.claimed(kind.plural, cause);
        for (const rule of rules) {
          metrics.polled(rule, clock.now(), this.#claimTime - startMs);
          metrics.pending(rule, own.length);
        }
      }
      if (claims.length > 0) this.#isStale = true;
      return claims;
    } catch (error) {
      metrics.storeError();
      logger.warn("nothing claimed", { error: toError(error).message });
      return undefined;
    }
  }

  #take(claim: Claim): void {
    const work: Promise<void> = this.#work(claim)
      .catch((error: unknown) => {
        const { resource } = claim.stored;
        this.#options.logger.error("pulse failed", { resource: resource.id, error: toError(error).message });
      })
      .finally(() => {
        this.#pulses.delete(work);
        this.#room.ring();
      });
    this.#pulses.add(work);
  }

  async #work(claim: Claim): Promise<void> {
    const { clock, store, kinds, publisher, metrics } = this.#options;
    const { resource } = claim.stored;
    const pulsed = kinds.get(resource.kind);
    if (pulsed === undefined) return;
    const heard = this.#heard;
    const now = Math.floor(store.now(clock));
    const { pulses, skips, flapping, lookTime } = judge({ ...pulsed, claim, now });
    for (const adapter of flapping) {
      metrics.flapping(pulsed.kind.plural, adapter);
      this.#failures.warn(`flapping ${adapter}`, "adapter is flapping", { resource: resource.id, adapter });
    }
    for (const { rule, reason, problem } of skips) {
      metrics.skipped(rule, reason);
      const fields = { resource: resource.id, resourceType: rule.resourceType, problem };
      if (problem !== undefined) this.#failures.warn(problem, "decision failed", fields);
    }
    for (const pulse of pulses) {
      if (!(await publisher.publish(pulse, claim.cause))) {
        this.#sent.refused++;
        return;
      }
      this.#sent.taken++;
    }
    if (pulses.length > 0) metrics.dispatched(pulsed.kind.plural, claim.cause, store.now(clock) - claim.dueTime);
    this.#heardAtTake = Math.min(this.#heardAtTake, heard);
    this.#complete(claim, pulses.length > 0 ? now : undefined, lookTime);
  }

  #complete({ stored, holder, plan }: Claim, pulsedTime: number | undefined, refreshTime: number): void {
    this.#nextDue = Math.min(this.#nextDue, refreshTime);
    if (refreshTime + this.#options.limits.refreshGapMs < this.#restEnd) this.#hints.ring();
    this.#completions.add({ resourceId: stored.resource.id, holder, plan, pulsedTime, refreshTime });
  }

  /** Sleeps until something may be due. */
  async #rest(signal: AbortSignal): Promise<void> {
    const { clock, limits } = this.#options;
    const isHinted = await this.#hints.wait(await this.#restMs(), signal);
    this.#isStale = true;
    // Hints may be lost: what was heard without one is asked for anew.
    if (!isHinted) this.#askTime = Number.NEGATIVE_INFINITY;
    const sinceMs = clock.monotonic() - this.#claimTime;
    if (sinceMs < limits.gapMs) await this.#pause(limits.gapMs - sinceMs, signal);
  }

  async #restMs(): Promise<number> {
    const { clock, store, limits } = this.#options;
    const startMs = clock.monotonic();
    if (this.#isStale && startMs - this.#askTime >= ASK_MS) await this.#ask(startMs);
    const untilMs = this.#isStale ? this.#askTime + ASK_MS - startMs : limits.pollMs;
    const now = store.now(clock);
    const restMs = Math.max(limits.gapMs, Math.min(untilMs, this.#nextDue + limits.refreshGapMs - now));
    this.#restEnd = now + restMs;
    return restMs;
  }

  async #ask(startMs: number): Promise<void> {
    const { store, metrics } = this.#options;
    this.#askTime = startMs;
    this.#nextDue = Number.POSITIVE_INFINITY;
    try {
      const next = await store.nextDueTime(this.#kinds);
      // Completions that were added meanwhile may be earlier.
      this.#nextDue = Math.min(this.#nextDue, next ?? Number.POSITIVE_INFINITY);
      this.#isStale = false;
    } catch {
      // The next claim will tell what is wrong.
      metrics.storeError();
    }
  }

  #pause(ms: number, signal: AbortSignal): Promise<boolean> {
    return new Bell(this.#options.clock).wait(ms, signal);
  }
}
