import { backoffMs, BACKOFFS, Signal, toError } from "@levelset/core/internal";
import type { Clock, Logger, Random } from "@levelset/core";
import type { FleetKind, RefreshTtl } from "../../resource/index.ts";
import type { Claim, FleetStore } from "../../store/index.ts";
import { CompletionWriter } from "./completion-writer.ts";
import { planClaim } from "../decision/plan-claim.ts";
import type { PulsePublisher } from "./pulse-publisher.ts";
import type { PulseRule } from "../decision/pulse-rule.ts";
import { RateLimitedLog } from "../rate-limited-log.ts";
import type { SentinelMetrics } from "../sentinel-metrics.ts";

/** A pulsed kind with its rules and TTLs. */
export interface PulsedKind {
  readonly kind: FleetKind;
  readonly rules: readonly PulseRule[];
  readonly ttl: RefreshTtl;
}

/** Limits of a dispatcher. */
export interface DispatchLimits {
  /** Maximum duration of a claim. Claims not completed by then can be claimed by others. */
  readonly leaseMs: number;
  /** Maximum number of concurrent claims. */
  readonly inFlightMax: number;
  /** Minimum time between two claim requests. */
  readonly gapMs: number;
  /** How long a refresh may be delayed, so that many are claimed at once. */
  readonly refreshGapMs: number;
  /** How often to poll the store without a commit notification. */
  readonly pollMs: number;
}

/** Options of {@link PulseDispatcher}. */
export interface PulseDispatcherOptions {
  readonly store: Pick<FleetStore, "claim" | "complete" | "nextDueTime" | "onCommit" | "hasClock" | "now">;
  readonly publisher: PulsePublisher;
  /** Pulsed kinds by name. */
  readonly kinds: ReadonlyMap<string, PulsedKind>;
  /** Unique ID of this process. */
  readonly holder: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: SentinelMetrics;
  readonly limits: DispatchLimits;
}

/** Minimum time between queries for the next due time while commits arrive. */
const QUERY_GAP_MS = 1_000;

/**
 * Claims due resources, sends the pulses, and writes the next check time to the store. Sleeps until the next resource
 * is due; commits interrupt the sleep. A claim that could not be pulsed stays until its lease expires, as if this
 * process had crashed. So there is one recovery path, and an unavailable broker is not called in a busy loop.
 */
export class PulseDispatcher {
  readonly #options: PulseDispatcherOptions;
  readonly #kinds: readonly string[];
  readonly #completions: CompletionWriter;
  readonly #pulses = new Set<Promise<void>>();
  readonly #hints: Signal;
  readonly #capacity: Signal;
  readonly #failures: RateLimitedLog;
  /** The next three are in monotonic time. */
  #claimTime = Number.NEGATIVE_INFINITY;
  #turnTime: number;
  #queryTime = Number.NEGATIVE_INFINITY;
  /** The next two are in the store's time. */
  #nextDue = Number.POSITIVE_INFINITY;
  #restEnd = Number.NEGATIVE_INFINITY;
  #isStale = true;
  #sent = { accepted: 0, rejected: 0 };
  /** Number of commits received, in total and when the oldest claim with an unwritten completion was made. */
  #received = 0;
  #receivedAtClaim = Number.POSITIVE_INFINITY;

  constructor(options: PulseDispatcherOptions) {
    this.#options = options;
    this.#kinds = [...options.kinds.keys()];
    this.#completions = new CompletionWriter(options);
    this.#hints = new Signal(options.clock);
    this.#capacity = new Signal(options.clock);
    this.#failures = new RateLimitedLog(options);
    this.#turnTime = options.clock.monotonic();
  }

  /** Monotonic time of the last successful claim request. */
  get claimTime(): number {
    return this.#claimTime;
  }

  /** Monotonic time of the last loop iteration, successful or not. */
  get turnTime(): number {
    return this.#turnTime;
  }

  /** Runs until `signal` aborts, then finishes the work in progress. */
  async run(signal: AbortSignal): Promise<void> {
    const drained = new AbortController();
    const report = this.#completions.run(drained.signal, () => this.#onCompletionsWritten());
    const unsubscribe = this.#options.store.onCommit(() => {
      this.#received++;
      this.#hints.notify();
    });
    try {
      await this.#loop(signal);
    } finally {
      unsubscribe();
    }
    await Promise.all(this.#pulses);
    drained.abort();
    await report;
  }

  async #loop(signal: AbortSignal): Promise<void> {
    const { limits, random } = this.#options;
    let failures = 0;
    while (!signal.aborted) {
      this.#turnTime = this.#options.clock.monotonic();
      const capacity = limits.inFlightMax - this.#pulses.size - this.#completions.count;
      if (capacity < limits.inFlightMax / 4) {
        await this.#capacity.wait(limits.pollMs, signal);
        continue;
      }
      const claims = await this.#claim(capacity);
      failures = claims === undefined || this.#isEverySendRejected() ? failures + 1 : 0;
      for (const claim of claims ?? []) this.#take(claim);
      if (failures > 0) await this.#pause(backoffMs(failures, BACKOFFS.sentinelClaim, random), signal);
      else if (claims !== undefined && claims.length < capacity) await this.#rest(signal);
    }
  }

  /** A resource changed while claimed becomes claimable only now, without another notification. */
  #onCompletionsWritten(): void {
    this.#capacity.notify();
    if (this.#received > this.#receivedAtClaim) this.#hints.notify();
    if (this.#completions.count === 0) this.#receivedAtClaim = Number.POSITIVE_INFINITY;
  }

  /** Returns whether the broker rejected every message since the last call. */
  #isEverySendRejected(): boolean {
    const { accepted, rejected } = this.#sent;
    this.#sent = { accepted: 0, rejected: 0 };
    return rejected > 0 && accepted === 0;
  }

  async #claim(limit: number): Promise<readonly Claim[] | undefined> {
    const { store, clock, holder, limits, logger, metrics, kinds } = this.#options;
    const startMs = clock.monotonic();
    const request = { holder, leaseMs: limits.leaseMs, limit, kinds: this.#kinds };
    try {
      const claims = await store.claim(store.hasClock ? request : { ...request, now: Math.floor(clock.now()) });
      this.#claimTime = clock.monotonic();
      for (const { kind, rules } of kinds.values()) {
        const own = claims.filter(({ resource }) => resource.resource.kind === kind.kind);
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
      logger.warn("cannot claim due resources", { err: toError(error).message });
      return undefined;
    }
  }

  #take(claim: Claim): void {
    const work: Promise<void> = this.#work(claim)
      .catch((error: unknown) => {
        const { resource } = claim.resource;
        this.#options.logger.error("pulse failed", { resource: resource.id, err: toError(error).message });
      })
      .finally(() => {
        this.#pulses.delete(work);
        this.#capacity.notify();
      });
    this.#pulses.add(work);
  }

  async #work(claim: Claim): Promise<void> {
    const { clock, store, kinds, publisher, metrics } = this.#options;
    const { resource } = claim.resource;
    const pulsed = kinds.get(resource.kind);
    if (pulsed === undefined) return;
    const received = this.#received;
    const now = Math.floor(store.now(clock));
    const { pulses, skips, flapping, nextCheckTime } = planClaim({ ...pulsed, claim, now });
    for (const adapter of flapping) {
      metrics.flapping(pulsed.kind.plural, adapter);
      this.#failures.warn(`flapping ${adapter}`, "adapter is flapping", { resource: resource.id, adapter });
    }
    for (const { rule, reason, problem } of skips) {
      metrics.skipped(rule, reason);
      const fields = { resource: resource.id, resourceType: rule.resourceType, err: problem };
      if (problem !== undefined) this.#failures.warn(problem, "decision failed", fields);
    }
    for (const pulse of pulses) {
      if (!(await publisher.publish(pulse, claim.cause))) {
        this.#sent.rejected++;
        return;
      }
      this.#sent.accepted++;
    }
    if (pulses.length > 0) metrics.dispatched(pulsed.kind.plural, claim.cause, store.now(clock) - claim.dueTime);
    this.#receivedAtClaim = Math.min(this.#receivedAtClaim, received);
    this.#complete(claim, pulses.length > 0 ? now : undefined, nextCheckTime);
  }

  #complete({ resource, holder, counters }: Claim, pulsedTime: number | undefined, refreshTime: number): void {
    this.#nextDue = Math.min(this.#nextDue, refreshTime);
    if (refreshTime + this.#options.limits.refreshGapMs < this.#restEnd) this.#hints.notify();
    this.#completions.add({ resourceId: resource.resource.id, holder, counters, pulsedTime, refreshTime });
  }

  /** Sleeps until something may be due. */
  async #rest(signal: AbortSignal): Promise<void> {
    const { clock, limits } = this.#options;
    const isNotified = await this.#hints.wait(await this.#restMs(), signal);
    this.#isStale = true;
    // Notifications may be lost: without one, the next due time is queried again.
    if (!isNotified) this.#queryTime = Number.NEGATIVE_INFINITY;
    const sinceMs = clock.monotonic() - this.#claimTime;
    if (sinceMs < limits.gapMs) await this.#pause(limits.gapMs - sinceMs, signal);
  }

  async #restMs(): Promise<number> {
    const { clock, store, limits } = this.#options;
    const startMs = clock.monotonic();
    if (this.#isStale && startMs - this.#queryTime >= QUERY_GAP_MS) await this.#queryNextDue(startMs);
    const untilMs = this.#isStale ? this.#queryTime + QUERY_GAP_MS - startMs : limits.pollMs;
    const now = store.now(clock);
    const restMs = Math.max(limits.gapMs, Math.min(untilMs, this.#nextDue + limits.refreshGapMs - now));
    this.#restEnd = now + restMs;
    return restMs;
  }

  async #queryNextDue(startMs: number): Promise<void> {
    const { store, metrics } = this.#options;
    this.#queryTime = startMs;
    this.#nextDue = Number.POSITIVE_INFINITY;
    try {
      const next = await store.nextDueTime(this.#kinds);
      // Completions added in the meantime may be due earlier.
      this.#nextDue = Math.min(this.#nextDue, next ?? Number.POSITIVE_INFINITY);
      this.#isStale = false;
    } catch {
      // The next claim reports the error.
      metrics.storeError();
    }
  }

  #pause(ms: number, signal: AbortSignal): Promise<boolean> {
    return new Signal(this.#options.clock).wait(ms, signal);
  }
}
