/**
 * The Sentinel: sends a pulse to the adapters of a resource when its declaration changed, when an adapter came to another verdict, and when a
 * report is older than it may be.
 *
 * It does not poll the fleet. Every change writes with itself when its resource is to be looked at next (`store/due-work.ts`), and the Sentinel
 * claims what is due: its cost grows with what is due, not with the fleet. Any number of replicas share the work: a claim is one process's until
 * its lease ends, so what a dead one held is another's soon. A pulse is completed after the broker has taken it; a crash in between sends it
 * again. Delivery is at least once, and adapters are made for that.
 *
 * What is urgent is sent whatever the decision expressions say. They govern refreshes, and when they will be true is derived from them
 * (`thresholds.ts`), so that nobody has to ask them again and again.
 */
import { InputError, randomUuid, toError } from "@levelset/core";
import type { Clock, Logger, Random } from "@levelset/core";
import type { Broker } from "../broker/index.ts";
import type { FleetKinds } from "../resource/index.ts";
import type { FleetStore } from "../store/index.ts";
import { Bell } from "./bell.ts";
import { Dispatcher } from "./dispatcher.ts";
import type { DispatchLimits, PulsedKind } from "./dispatcher.ts";
import { PulsePublisher } from "./pulse-publisher.ts";
import type { PulseRule } from "./pulse-rule.ts";
import { refreshTtl } from "./refresh-ttl.ts";
import type { SentinelHealth } from "./sentinel-health.ts";
import { SentinelMetrics } from "./sentinel-metrics.ts";
import { Sweep } from "./sweep.ts";
import { NO_TRACES } from "./trace-parent.ts";
import type { SentinelTracer } from "./trace-parent.ts";

/** Bounds of a Sentinel. */
export interface SentinelLimits extends Omit<DispatchLimits, "pollMs"> {
  readonly publishTimeoutMs: number;
  readonly sweepPage: number;
  readonly sweepGapMs: number;
}

/** A lease of 15 seconds; the sweep sees 100,000 resources in about half an hour. */
export const SENTINEL_LIMITS: SentinelLimits = {
  leaseMs: 15_000,
  publishTimeoutMs: 10_000,
  inFlightMax: 256,
  gapMs: 10,
  refreshGapMs: 100,
  sweepPage: 500,
  sweepGapMs: 10_000,
};

/** What a Sentinel needs. */
export interface SentinelOptions {
  readonly store: FleetStore;
  readonly broker: Broker;
  readonly kinds: FleetKinds;
  /** What to pulse. All replicas must have the same ones: what none of them selects is not pulsed. */
  readonly rules: readonly PulseRule[];
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics?: SentinelMetrics;
  readonly tracer?: SentinelTracer;
  readonly limits?: Partial<SentinelLimits>;
}

const RETRY_MS = 1_000;
/** How many poll intervals may pass without an answer of the store. */
const MISSED_MAX = 3;
/** How long one turn of the loop may take, with a store that is away. */
const TURN_MAX_MS = 60_000;

/** A Sentinel on the fleet's own store. */
export class Sentinel implements SentinelHealth {
  readonly metrics: SentinelMetrics;
  readonly #options: SentinelOptions;
  readonly #kinds: ReadonlyMap<string, PulsedKind>;
  readonly #dispatcher: Dispatcher;
  readonly #sweep: Sweep;
  readonly #pollMs: number;
  #isStopping = false;

  /** Throws an InputError for a rule about a kind that there is not, or limits that contradict each other. */
  constructor(options: SentinelOptions) {
    const { store, broker, kinds, rules, clock, random, logger, tracer = NO_TRACES } = options;
    const limits = { ...SENTINEL_LIMITS, ...options.limits };
    if (limits.publishTimeoutMs >= limits.leaseMs)
      throw new InputError("the lease must be longer than a publish may take", { hint: "raise the lease" });
    this.metrics = options.metrics ?? new SentinelMetrics();
    this.#options = options;
    this.#kinds = pulsedKinds(kinds, rules);
    this.#pollMs = Math.min(...rules.map(({ pollIntervalMs }) => pollIntervalMs));
    const world = { store, clock, random, logger, metrics: this.metrics };
    this.#dispatcher = new Dispatcher({
      ...world,
      publisher: new PulsePublisher({ ...world, broker, tracer, publishTimeoutMs: limits.publishTimeoutMs }),
      kinds: this.#kinds,
      holder: randomUuid(random),
      limits: { ...limits, pollMs: this.#pollMs },
    });
    this.#sweep = new Sweep({ ...world, kinds: this.#kinds, pageSize: limits.sweepPage, gapMs: limits.sweepGapMs });
  }

  /** Runs until `signal` aborts, then ends in order: nothing is claimed any more, what is under way is finished. Does not reject. */
  async run(signal: AbortSignal): Promise<void> {
    signal.addEventListener("abort", () => (this.#isStopping = true), { once: true });
    await this.#tellTtls(signal);
    await Promise.all([this.#dispatcher.run(signal), this.#sweep.run(signal)]);
  }

  /** Why it should be started anew; empty when it is alive. A database that is away is no reason. */
  live(): readonly string[] {
    const silentMs = this.#options.clock.monotonic() - this.#dispatcher.turnTime;
    return silentMs > TURN_MAX_MS + this.#pollMs ? [`the loop has not turned for ${silentMs} ms`] : [];
  }

  /** Why it does not do its work; empty when it does. */
  async ready(): Promise<readonly string[]> {
    if (this.#isStopping) return ["it is stopping"];
    const { clock, broker } = this.#options;
    const health = await broker.health();
    const { claimTime } = this.#dispatcher;
    return [
      ...(clock.monotonic() - claimTime > MISSED_MAX * this.#pollMs ? ["the store does not say what is due"] : []),
      ...(health.kind === "down" ? [`broker: ${health.reason}`] : []),
    ];
  }

  /** Tells the store how old reports may get, so that changes are planned by it. */
  async #tellTtls(signal: AbortSignal): Promise<void> {
    const { store, clock, logger } = this.#options;
    while (!signal.aborted) {
      try {
        const known = await store.ttls();
        for (const [kind, { ttl }] of this.#kinds) {
          const { readyMs, notReadyMs } = known.get(kind) ?? {};
          if (readyMs !== ttl.readyMs || notReadyMs !== ttl.notReadyMs) await store.setTtl(kind, ttl);
        }
        return;
      } catch (error) {
        this.metrics.storeError();
        logger.warn("the store cannot be told how old reports may get", { error: toError(error).message });
        await new Bell(clock).wait(RETRY_MS, signal);
      }
    }
  }
}

function pulsedKinds(kinds: FleetKinds, rules: readonly PulseRule[]): ReadonlyMap<string, PulsedKind> {
  if (rules.length === 0) throw new InputError("a Sentinel needs at least one rule that says what to pulse");
  const byType = Map.groupBy(rules, ({ resourceType }) => resourceType);
  return new Map(
    [...byType].map(([resourceType, own]) => {
      const kind = kinds.findPlural(resourceType);
      if (kind === undefined) {
        const plurals = kinds.all.map(({ plural }) => plural).join(", ");
        throw new InputError(`resource_type: there are no ${resourceType}`, { hint: `there are: ${plurals}` });
      }
      return [kind.kind, { kind, rules: own, ttl: refreshTtl(own) }];
    }),
  );
}
