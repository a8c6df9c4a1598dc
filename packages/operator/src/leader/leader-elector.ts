import { BACKOFFS, Deadline, instantOf, jitter, LinkedAbortController, toError } from "@levelset/core/internal";
import { isAlreadyExists, isConflict, isNotFound, Lease } from "@levelset/core";
import type { Clock, Logger, ObjectKey, Random } from "@levelset/core";
import type { Client } from "../client/index.ts";
import type { Fence } from "./fence.ts";
import { decideLease, observeLease } from "./lease-decision.ts";
import type { LeaseDecision, LeaseObject, LeaseObservation } from "./lease-decision.ts";

/** Timing of leader election. */
export interface ElectionTimes {
  /** Candidates wait this long after the last observed renewal. */
  readonly leaseDurationMs: number;
  /** A leader that cannot renew for this long steps down. Must be less than `leaseDurationMs`. */
  readonly renewDeadlineMs: number;
  /** Delay between attempts to acquire or renew the lease. */
  readonly retryPeriodMs: number;
}

/** The defaults of kube-controller-manager (k8s.io/component-base/config/v1alpha1/defaults.go). */
export const DEFAULT_ELECTION_TIMES: ElectionTimes = {
  leaseDurationMs: 15_000,
  renewDeadlineMs: 10_000,
  retryPeriodMs: BACKOFFS.leaderElection.firstMs,
};

/** Options of {@link LeaderElector}. */
export interface LeaderElectorOptions {
  /** Client for the lease. Must not use the fence. */
  readonly client: Client;
  readonly fence: Fence;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Key of the lease. */
  readonly key: Required<ObjectKey>;
  /** Identity of this process. Must be unique, also after a restart. */
  readonly identity: string;
  readonly times?: ElectionTimes;
}

/**
 * Elects one of many processes by a Lease. The leader renews it in time or steps down. The fence rejects later writes:
 * it closes when the lease ends, and at once when another holder is observed or the lease is released. Only local
 * clocks are used, so the clocks of different machines need not agree. Each decision uses the safe clock: our own lease
 * ends when either the wall clock or the monotonic clock has reached its end, that of another holder when both have.
 */
export class LeaderElector {
  readonly #options: LeaderElectorOptions;
  readonly #times: ElectionTimes;
  #observation: LeaseObservation | undefined;
  #isLeading = false;
  #holder = "";

  constructor(options: LeaderElectorOptions) {
    this.#options = options;
    this.#times = options.times ?? DEFAULT_ELECTION_TIMES;
  }

  /** Whether this process is the leader. */
  get isLeader(): boolean {
    return this.#isLeading;
  }

  /**
   * Waits for the lease, then runs `lead` with a signal that aborts when `signal` does. Releases the lease when `lead`
   * has ended. Rejects when the lease is lost: the fence closes and `lead`'s signal is aborted first, and its end is
   * waited for.
   */
  async run(signal: AbortSignal, lead: (signal: AbortSignal) => Promise<void>): Promise<void> {
    await this.#acquire(signal);
    if (signal.aborted) return;
    using leading = new LinkedAbortController([signal]);
    const renewing = new AbortController();
    const lost = this.#renewUntilLost(renewing.signal).then((why) => {
      // Step down at once: the work may take long to stop.
      if (why !== undefined) this.#stepDown();
      leading.abort();
      return why;
    });
    const failure = await lead(leading.signal).then(() => undefined, toError);
    renewing.abort();
    const why = await lost;
    this.#stepDown();
    if (why === undefined) await this.#release();
    const error = why ?? failure;
    if (error !== undefined) throw error;
  }

  #stepDown(): void {
    this.#isLeading = false;
    this.#options.fence.close();
  }

  async #acquire(signal: AbortSignal): Promise<void> {
    const { clock, random, logger, key, identity } = this.#options;
    while (!signal.aborted) {
      try {
        if (await this.#try(signal)) {
          this.#isLeading = true;
          logger.info("leading", { lease: `${key.namespace}/${key.name}`, identity });
          return;
        }
      } catch (error) {
        if (signal.aborted) return;
        logger.warn("cannot acquire lease", { err: toError(error) });
      }
      await clock
        .sleep(jitter(random, this.#times.retryPeriodMs, BACKOFFS.leaderElection.jitter), signal)
        .catch(() => {});
    }
  }

  /** Renews until `signal` aborts; resolves with the reason if the lease was lost before. */
  async #renewUntilLost(signal: AbortSignal): Promise<Error | undefined> {
    const { clock, logger } = this.#options;
    let deadline = new Deadline(clock, this.#times.renewDeadlineMs);
    while (!signal.aborted) {
      await clock.sleep(this.#times.retryPeriodMs, signal).catch(() => {});
      if (signal.aborted) return undefined;
      try {
        const startedAt = instantOf(clock);
        if (!(await this.#bounded(signal, deadline))) return lostTo(this.#holder);
        deadline = new Deadline(clock, this.#times.renewDeadlineMs, startedAt);
      } catch (error) {
        if (signal.aborted) return undefined;
        logger.warn("cannot renew lease", { err: toError(error) });
        if (deadline.hasPassed) return new Error(CANNOT_RENEW);
      }
    }
    return undefined;
  }

  /**
   * Tries once, until the deadline at most. If a clock was stepped or the machine was suspended, the deadline may have
   * passed already: the fence is closed then. One attempt is still made, because the server may still have us as the
   * holder.
   */
  async #bounded(signal: AbortSignal, deadline: Deadline): Promise<boolean> {
    const { clock } = this.#options;
    const ms = Math.max(this.#times.retryPeriodMs, deadline.leftMs);
    using attempt = new LinkedAbortController([signal], { clock, ms });
    return await this.#try(attempt.signal);
  }

  /** Tries once to acquire or renew the lease. Resolves with whether this process holds it. */
  async #try(signal: AbortSignal): Promise<boolean> {
    const { client, clock, fence, identity, key, logger } = this.#options;
    const startedAt = instantOf(clock);
    const lease = await this.#read(signal);
    const decided = decideLease(lease, this.#observation, identity, startedAt);
    // We are not the holder on the server, so another process may write from now on.
    if (decided.kind !== "renew") fence.close();
    if (decided.kind === "wait") {
      if (decided.holder !== this.#holder) {
        logger.info("standing by", { lease: `${key.namespace}/${key.name}`, holder: decided.holder });
      }
      this.#holder = decided.holder;
      return false;
    }
    try {
      const written = await this.#write(client, decided, startedAt.wallMs, signal);
      this.#observe(written);
    } catch (error) {
      // Another client wrote the lease after we read it as ours. The holder may be unchanged, so the renewal is retried
      // until the deadline; the next read shows the holder.
      if (decided.kind === "renew" && isConflict(error)) throw error;
      if (!isConflict(error) && !isAlreadyExists(error) && !isNotFound(error)) throw error;
      this.#holder = ""; // another process changed it after our read
      return false;
    }
    this.#holder = identity;
    // Counted from the start of the request, because the server may have written the lease at any time since.
    fence.openFor(this.#times.leaseDurationMs, startedAt);
    return true;
  }

  async #read(signal: AbortSignal): Promise<LeaseObject | undefined> {
    const { client, key } = this.#options;
    try {
      const lease = await client.get(Lease, key, { signal });
      this.#observe(lease);
      return lease;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  #observe(lease: LeaseObject): void {
    const now = instantOf(this.#options.clock);
    this.#observation = observeLease(this.#observation, lease.metadata.resourceVersion, now);
  }

  async #write(
    client: Client,
    decided: Exclude<LeaseDecision, { readonly kind: "wait" }>,
    now: number,
    signal: AbortSignal,
  ): Promise<LeaseObject> {
    const { key, identity } = this.#options;
    const renewTime = microTime(now);
    const mine = {
      holderIdentity: identity,
      leaseDurationSeconds: Math.ceil(this.#times.leaseDurationMs / 1_000),
      renewTime,
    };
    if (decided.kind === "create") {
      const spec = { ...mine, acquireTime: renewTime, leaseTransitions: 0 };
      return client.create(Lease, { metadata: key, spec }, { signal });
    }
    const { lease } = decided;
    const taken = { acquireTime: renewTime, leaseTransitions: (lease.spec?.leaseTransitions ?? 0) + 1 };
    const spec = { ...lease.spec, ...mine, ...(decided.kind === "take" ? taken : {}) };
    return client.update(Lease, { ...lease, spec }, { signal });
  }

  /**
   * Releases the lease, so that another process can acquire it at once. Failures are only logged: the lease expires
   * anyway.
   */
  async #release(): Promise<void> {
    const { client, clock, key, identity, logger } = this.#options;
    using limit = new LinkedAbortController([], { clock, ms: this.#times.retryPeriodMs });
    const { signal } = limit;
    try {
      const lease = await client.get(Lease, key, { signal });
      if (lease.spec?.holderIdentity !== identity) return;
      const spec = { ...lease.spec, holderIdentity: "", leaseDurationSeconds: 1 };
      await client.update(Lease, { ...lease, spec }, { signal });
    } catch (error) {
      logger.warn("cannot release lease", { err: toError(error) });
    }
  }
}

const CANNOT_RENEW = "the lease could not be renewed in time";

function lostTo(holder: string): Error {
  return new Error(`the lease was lost to ${holder === "" ? "another" : holder}`);
}

/** Formats a time as MicroTime (k8s.io/apimachinery/pkg/apis/meta/v1/micro_time.go). */
function microTime(ms: number): string {
  return new Date(ms).toISOString().replace("Z", "000Z");
}
