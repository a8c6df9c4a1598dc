/**
 * The Sentinel sends a pulse to the adapters of a resource when its spec changed, when an adapter changed its verdict,
 * and when a report is too old.
 *
 * It does not poll the fleet. Every change stores the next check time of its resource (`store/due-work.ts`), and the
 * Sentinel claims due resources: its cost depends on the number of due resources, not on the size of the fleet. Any
 * number of replicas share the work: a claim is exclusive until its lease expires, so claims of a crashed process are
 * taken over soon. A pulse is completed after the broker has accepted it; a crash in between sends it again. Delivery
 * is at least once, and adapters must be idempotent.
 *
 * Urgent pulses are sent whatever the decision expressions yield. Decisions govern refreshes; the time when they
 * become true is derived from the expressions (`decision-times.ts`), so they need no periodic evaluation.
 */
import { BACKOFFS, randomUuid, Signal, toError } from "@levelset/core/internal";
import { InputError } from "@levelset/core";
import { deepEqual } from "@levelset/core/internal";
import type { Clock, Logger, Random } from "@levelset/core";
import type { Broker } from "../broker/index.ts";
import type { FleetKinds } from "../resource/index.ts";
import type { FleetStore } from "../store/index.ts";
import { PulseDispatcher } from "./pulse/pulse-dispatcher.ts";
import type { DispatchLimits, PulsedKind } from "./pulse/pulse-dispatcher.ts";
import { PulsePublisher } from "./pulse/pulse-publisher.ts";
import type { PulseRule } from "./decision/pulse-rule.ts";
import { refreshTtl } from "./decision/refresh-ttl.ts";
import type { SentinelHealth } from "./sentinel-health.ts";
import { SentinelMetrics } from "./sentinel-metrics.ts";
import { Sweep } from "./sweep.ts";
import { noopSentinelTracer } from "./sentinel-tracer.ts";
import type { SentinelTracer } from "./sentinel-tracer.ts";

/** Limits of a Sentinel. */
export interface SentinelLimits extends Omit<DispatchLimits, "pollMs"> {
  readonly publishTimeoutMs: number;
  readonly sweepPageSize: number;
  readonly sweepGapMs: number;
}

/** A lease of 15 seconds; the sweep checks 100,000 resources in about half an hour. */
export const SENTINEL_LIMITS: SentinelLimits = {
  leaseMs: 15_000,
  publishTimeoutMs: 10_000,
  inFlightMax: 256,
  gapMs: 10,
  refreshGapMs: 100,
  sweepPageSize: 500,
  sweepGapMs: 10_000,
};

/** Options of {@link Sentinel}. */
export interface SentinelOptions {
  readonly store: FleetStore;
  readonly broker: Broker;
  readonly kinds: FleetKinds;
  /** Rules for what to pulse. All replicas must have the same ones: unselected resources are not pulsed. */
  readonly rules: readonly PulseRule[];
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics?: SentinelMetrics;
  readonly tracer?: SentinelTracer;
  readonly limits?: Partial<SentinelLimits>;
}

/** Maximum number of poll intervals without a successful claim. */
const MISSED_MAX = 3;
/** Maximum duration of one loop iteration with an unavailable store. */
const TURN_MAX_MS = 60_000;

/** A Sentinel on the fleet's own store. */
export class Sentinel implements SentinelHealth {
  readonly metrics: SentinelMetrics;
  readonly #options: SentinelOptions;
  readonly #kinds: ReadonlyMap<string, PulsedKind>;
  readonly #dispatcher: PulseDispatcher;
  readonly #sweep: Sweep;
  readonly #pollMs: number;
  #isStopping = false;

  /** Throws an InputError for a rule with an unknown kind, or for inconsistent limits. */
  constructor(options: SentinelOptions) {
    const { store, broker, kinds, rules, clock, random, logger, tracer = noopSentinelTracer } = options;
    const limits = { ...SENTINEL_LIMITS, ...options.limits };
    if (limits.publishTimeoutMs >= limits.leaseMs)
      throw new InputError("leaseMs must be greater than publishTimeoutMs", { hint: "raise leaseMs" });
    this.metrics = options.metrics ?? new SentinelMetrics();
    this.#options = options;
    this.#kinds = pulsedKinds(kinds, rules);
    this.#pollMs = Math.min(...rules.map(({ pollIntervalMs }) => pollIntervalMs));
    const world = { store, clock, random, logger, metrics: this.metrics };
    this.#dispatcher = new PulseDispatcher({
      ...world,
      publisher: new PulsePublisher({ ...world, broker, tracer, publishTimeoutMs: limits.publishTimeoutMs }),
      kinds: this.#kinds,
      holder: randomUuid(random),
      limits: { ...limits, pollMs: this.#pollMs },
    });
    this.#sweep = new Sweep({ ...world, kinds: this.#kinds, pageSize: limits.sweepPageSize, gapMs: limits.sweepGapMs });
  }

  /** Runs until `signal` aborts, then stops claiming and finishes the work in progress. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    signal.addEventListener("abort", () => (this.#isStopping = true), { once: true });
    await this.#storeTtls(signal);
    await Promise.all([this.#dispatcher.run(signal), this.#sweep.run(signal)]);
  }

  /** Returns why the process should be restarted; empty if it is live. An unavailable database is no reason. */
  live(): readonly string[] {
    const stuckMs = this.#options.clock.monotonic() - this.#dispatcher.turnTime;
    return stuckMs > TURN_MAX_MS + this.#pollMs ? [`the dispatch loop is stuck for ${stuckMs} ms`] : [];
  }

  /** Returns why it is not ready; empty if it is. */
  async ready(): Promise<readonly string[]> {
    if (this.#isStopping) return ["stopping"];
    const { clock, broker } = this.#options;
    const health = await broker.health();
    const { claimTime } = this.#dispatcher;
    return [
      ...(clock.monotonic() - claimTime > MISSED_MAX * this.#pollMs
        ? ["no successful claim from the store recently"]
        : []),
      ...(health.kind === "down" ? [`broker: ${health.reason}`] : []),
    ];
  }

  /** Stores the TTLs of reports, so that changes are planned by them. */
  async #storeTtls(signal: AbortSignal): Promise<void> {
    const { store, clock, logger } = this.#options;
    while (!signal.aborted) {
      try {
        const known = await store.ttls();
        for (const [kind, { ttl }] of this.#kinds) {
          if (!deepEqual(known.get(kind), ttl)) await store.setTtl(kind, ttl);
        }
        return;
      } catch (error) {
        this.metrics.storeError();
        logger.warn("cannot store the refresh TTLs", { err: toError(error).message });
        await new Signal(clock).wait(BACKOFFS.sentinelStart.firstMs, signal);
      }
    }
  }
}

function pulsedKinds(kinds: FleetKinds, rules: readonly PulseRule[]): ReadonlyMap<string, PulsedKind> {
  if (rules.length === 0) throw new InputError("a Sentinel needs at least one rule");
  const byType = Map.groupBy(rules, ({ resourceType }) => resourceType);
  return new Map(
    [...byType].map(([resourceType, own]) => {
      const kind = kinds.findPlural(resourceType);
      if (kind === undefined) {
        const plurals = kinds.all.map(({ plural }) => plural).join(", ");
        throw new InputError(`resource_type: unknown kind ${JSON.stringify(resourceType)}`, {
          hint: `use one of: ${plurals}`,
        });
      }
      return [kind.kind, { kind, rules: own, ttl: refreshTtl(own) }];
    }),
  );
}
