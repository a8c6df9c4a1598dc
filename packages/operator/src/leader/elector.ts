import { Deadline, instantOf, isAlreadyExists, isConflict, isNotFound, jitter, Lease, toError } from "@levelset/core";
import type { Clock, Logger, ObjectKey, Random } from "@levelset/core";
import type { Client } from "../client/index.ts";
import type { Fence } from "./fence.ts";
import { claim, sight } from "./lease-claim.ts";
import type { Claim, LeaseObject, Sighting } from "./lease-claim.ts";

/** How long things take. */
export interface ElectionTimes {
  /** Others wait so long after the last renewal they saw. */
  readonly leaseMs: number;
  /** A holder that cannot renew for so long steps down. Less than `leaseMs`. */
  readonly renewDeadlineMs: number;
  /** Between two tries to get or renew it. */
  readonly retryMs: number;
}

/** Those of Kubernetes' own controllers. */
export const ELECTION_TIMES: ElectionTimes = { leaseMs: 15_000, renewDeadlineMs: 10_000, retryMs: 2_000 };

/** What an elector needs. */
export interface ElectorOptions {
  /** Not behind the fence. */
  readonly client: Client;
  readonly fence: Fence;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** The lease. */
  readonly key: Required<ObjectKey>;
  /** Who we are: different for each process, also for a restarted one. */
  readonly identity: string;
  readonly times?: ElectionTimes;
}

/**
 * Elects one of many processes by a Lease. The holder renews it in time or steps down on its own; the fence makes sure that nothing
 * of it is written later: it closes when the lease ends, and at once when the lease is seen in other hands or given up. Times are those of our own
 * clocks, so that those of different machines need not agree. Each decision goes by the clock that makes it safe: our own lease ends when either of
 * them says so, that of another holder when both do.
 */
export class Elector {
  readonly #options: ElectorOptions;
  readonly #times: ElectionTimes;
  #sighting: Sighting | undefined;
  #isLeading = false;
  #holder = "";

  constructor(options: ElectorOptions) {
    this.#options = options;
    this.#times = options.times ?? ELECTION_TIMES;
  }

  /** Whether we lead. */
  get isLeading(): boolean {
    return this.#isLeading;
  }

  /**
   * Waits for the lease, then runs `lead` with a signal that aborts when `signal` does. Releases the lease when `lead` has ended.
   * Rejects when the lease is lost: the fence closes and `lead`'s signal is aborted first, and its end is waited for.
   */
  async run(signal: AbortSignal, lead: (signal: AbortSignal) => Promise<void>): Promise<void> {
    await this.#acquire(signal);
    if (signal.aborted) return;
    const leading = new AbortController();
    const stop = (): void => leading.abort();
    signal.addEventListener("abort", stop, { once: true });
    const renewing = new AbortController();
    const lost = this.#renewUntilLost(renewing.signal).then((why) => {
      // At once: the work may take any time to stop.
      if (why !== undefined) this.#stepDown();
      stop();
      return why;
    });
    const failure = await lead(leading.signal).then(() => undefined, toError);
    renewing.abort();
    signal.removeEventListener("abort", stop);
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
        logger.warn("lease cannot be asked for", { error: toError(error) });
      }
      await clock.sleep(jitter(random, this.#times.retryMs, 0.2), signal).catch(() => {});
    }
  }

  /** Renews until `signal` aborts; resolves with the reason if the lease was lost before. */
  async #renewUntilLost(signal: AbortSignal): Promise<Error | undefined> {
    const { clock, logger } = this.#options;
    let deadline = new Deadline(clock, this.#times.renewDeadlineMs);
    while (!signal.aborted) {
      await clock.sleep(this.#times.retryMs, signal).catch(() => {});
      if (signal.aborted) return undefined;
      try {
        const startedAt = instantOf(clock);
        if (!(await this.#bounded(signal, deadline))) return lostTo(this.#holder);
        deadline = new Deadline(clock, this.#times.renewDeadlineMs, startedAt);
      } catch (error) {
        if (signal.aborted) return undefined;
        logger.warn("lease cannot be renewed", { error: toError(error) });
        if (deadline.hasPassed) return new Error(CANNOT_RENEW);
      }
    }
    return undefined;
  }

  /**
   * A try that ends with the deadline, however long the server takes. Where a clock was stepped or the machine suspended, the deadline may have passed
   * already: the fence is closed then, and one try is still made, since the lease may be ours on the server.
   */
  async #bounded(signal: AbortSignal, deadline: Deadline): Promise<boolean> {
    const { clock } = this.#options;
    const attempt = new AbortController();
    const stop = (): void => attempt.abort();
    signal.addEventListener("abort", stop, { once: true });
    const timer = clock.after(Math.max(this.#times.retryMs, deadline.leftMs), stop);
    try {
      return await this.#try(attempt.signal);
    } finally {
      timer.cancel();
      signal.removeEventListener("abort", stop);
    }
  }

  /** Asks for the lease once. Whether it is ours now. */
  async #try(signal: AbortSignal): Promise<boolean> {
    const { client, clock, fence, identity, key, logger } = this.#options;
    const startedAt = instantOf(clock);
    const lease = await this.#look(signal);
    const decided = claim(lease, this.#sighting, identity, startedAt);
    // It is not ours as it stands on the server: another process may write from this moment on.
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
      this.#see(written);
    } catch (error) {
      // The lease was ours when we looked, and another client wrote it since. That need not be another holder, so renewing it is
      // tried again until the deadline; the next look shows the holder.
      if (decided.kind === "renew" && isConflict(error)) throw error;
      if (!isConflict(error) && !isAlreadyExists(error) && !isNotFound(error)) throw error;
      this.#holder = ""; // another process has changed it since we looked
      return false;
    }
    this.#holder = identity;
    // From the start of the request: the server may have written it at any moment since.
    fence.openFor(this.#times.leaseMs, startedAt);
    return true;
  }

  async #look(signal: AbortSignal): Promise<LeaseObject | undefined> {
    const { client, key } = this.#options;
    try {
      const lease = await client.get(Lease, key, { signal });
      this.#see(lease);
      return lease;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  #see(lease: LeaseObject): void {
    this.#sighting = sight(this.#sighting, lease.metadata.resourceVersion, instantOf(this.#options.clock));
  }

  async #write(
    client: Client,
    decided: Exclude<Claim, { readonly kind: "wait" }>,
    now: number,
    signal: AbortSignal,
  ): Promise<LeaseObject> {
    const { key, identity } = this.#options;
    const renewTime = microTime(now);
    const mine = {
      holderIdentity: identity,
      leaseDurationSeconds: Math.ceil(this.#times.leaseMs / 1_000),
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

  /** Lets another have it at once. That it fails, or takes too long, is no reason to fail: the lease ends by itself. */
  async #release(): Promise<void> {
    const { client, clock, key, identity, logger } = this.#options;
    const limit = new AbortController();
    const timer = clock.after(this.#times.retryMs, () => limit.abort());
    const { signal } = limit;
    try {
      const lease = await client.get(Lease, key, { signal });
      if (lease.spec?.holderIdentity !== identity) return;
      const spec = { ...lease.spec, holderIdentity: "", leaseDurationSeconds: 1 };
      await client.update(Lease, { ...lease, spec }, { signal });
    } catch (error) {
      logger.warn("lease not released", { error: toError(error) });
    } finally {
      timer.cancel();
    }
  }
}

const CANNOT_RENEW = "the lease could not be renewed in time";

function lostTo(holder: string): Error {
  return new Error(`the lease was lost to ${holder === "" ? "another" : holder}`);
}

/** As Kubernetes writes times with fractions. */
function microTime(ms: number): string {
  return new Date(ms).toISOString().replace("Z", "000Z");
}
