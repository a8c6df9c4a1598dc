import { Signal, toError } from "@levelset/core/internal";
import type { Clock, JsonObject, Logger, Random } from "@levelset/core";
import type { Broker } from "../broker/index.ts";
import { ApiSourceError } from "./api-source.ts";
import type { ApiSource } from "./api-source.ts";
import { DECISION_FAILED, DECISION_FALSE } from "./decision/plan-claim.ts";
import type { OutboundPulse } from "./decision/plan-claim.ts";
import { PulsePublisher } from "./pulse/pulse-publisher.ts";
import type { PulseRule } from "./decision/pulse-rule.ts";
import { RateLimitedLog } from "./rate-limited-log.ts";
import type { SentinelHealth } from "./sentinel-health.ts";
import { SentinelMetrics } from "./sentinel-metrics.ts";
import { noopSentinelTracer } from "./sentinel-tracer.ts";
import type { SentinelTracer } from "./sentinel-tracer.ts";

/** Options of {@link PollingSentinel}. */
export interface PollingSentinelOptions {
  readonly source: ApiSource;
  readonly broker: Broker;
  readonly rule: PulseRule;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics?: SentinelMetrics;
  readonly tracer?: SentinelTracer;
  readonly publishTimeoutMs?: number;
}

const PUBLISH_TIMEOUT_MS = 10_000;
/** Number of concurrent publishes. */
const PUBLISH_CONCURRENCY = 16;
const MISSED_MAX = 3;

/**
 * Sentinel for a remote API: it lists all resources of a type periodically, decides for each, and sends pulses. It
 * keeps no state, so failures are retried in the next cycle; two instances send every pulse twice.
 */
export class PollingSentinel implements SentinelHealth {
  readonly metrics: SentinelMetrics;
  readonly #options: PollingSentinelOptions;
  readonly #publisher: PulsePublisher;
  readonly #tracer: SentinelTracer;
  readonly #failures: RateLimitedLog;
  /** In monotonic time. */
  #polledAt: number | undefined;
  #isStopping = false;

  constructor(options: PollingSentinelOptions) {
    const {
      tracer = noopSentinelTracer,
      metrics = new SentinelMetrics(),
      publishTimeoutMs = PUBLISH_TIMEOUT_MS,
    } = options;
    this.#options = options;
    this.#tracer = tracer;
    this.metrics = metrics;
    this.#publisher = new PulsePublisher({ ...options, metrics, tracer, publishTimeoutMs });
    this.#failures = new RateLimitedLog(options);
  }

  /** Polls until `signal` aborts. Rejects with an ApiSourceError if the API cannot be reached at the start. */
  async run(signal: AbortSignal): Promise<void> {
    const { source, clock, rule } = this.#options;
    signal.addEventListener("abort", () => (this.#isStopping = true), { once: true });
    await source.verify(signal);
    const rest = new Signal(clock);
    while (!signal.aborted) {
      const start = clock.monotonic();
      await this.#tracer.span("sentinel.poll", () => this.poll(signal));
      await rest.wait(Math.max(0, start + rule.pollIntervalMs - clock.monotonic()), signal);
    }
  }

  /** Runs one cycle. Never rejects: failures are counted and logged. */
  async poll(signal: AbortSignal): Promise<void> {
    const { source, clock, rule, logger } = this.#options;
    const start = clock.monotonic();
    let resources: readonly JsonObject[];
    try {
      resources = await source.listAll(signal);
    } catch (error) {
      if (signal.aborted) return;
      const type = error instanceof ApiSourceError ? error.type : "fetch_error";
      this.metrics.apiError(rule, type);
      logger.warn("poll failed", { resourceType: rule.resourceType, type, err: toError(error).message });
      return;
    }
    const now = Math.floor(clock.now());
    const pulses = resources.flatMap((resource) => this.#decide(resource, now));
    this.metrics.pending(rule, pulses.length);
    await this.#publishAll(pulses, signal);
    if (signal.aborted) return;
    this.#polledAt = clock.monotonic();
    this.metrics.polled(rule, clock.now(), this.#polledAt - start);
  }

  /**
   * Returns why the process should be restarted: no successful poll for three intervals. Live before the first poll.
   */
  live(): readonly string[] {
    const { clock, rule } = this.#options;
    if (this.#polledAt === undefined) return [];
    const sincePollMs = clock.monotonic() - this.#polledAt;
    return sincePollMs > MISSED_MAX * rule.pollIntervalMs ? [`no poll has succeeded for ${sincePollMs} ms`] : [];
  }

  /** Returns why it is not ready; empty if it is. */
  async ready(): Promise<readonly string[]> {
    if (this.#isStopping) return ["stopping"];
    const health = await this.#options.broker.health();
    return [
      ...(this.#polledAt === undefined ? ["no poll has succeeded yet"] : []),
      ...(health.kind === "down" ? [`broker: ${health.reason}`] : []),
    ];
  }

  #decide(resource: JsonObject, now: number): readonly OutboundPulse[] {
    const { rule } = this.#options;
    const { id, kind } = resource;
    if (typeof id !== "string" || id === "") {
      this.metrics.skipped(rule, "resource has no id");
      this.#failures.warn("id", "resource without an id", { resourceType: rule.resourceType });
      return [];
    }
    const subject = { resource, now };
    const verdict = rule.decision.decide(subject);
    switch (verdict.kind) {
      case "pulse":
        return [{ id, kind: typeof kind === "string" ? kind : rule.resourceType, rule, subject, dueAdapters: [] }];
      case "skip":
        this.metrics.skipped(rule, DECISION_FALSE);
        return [];
      case "failed":
        this.metrics.skipped(rule, DECISION_FAILED);
        this.#failures.warn(verdict.reason, "decision failed", { resource: id, err: verdict.reason });
        return [];
      default:
        return verdict satisfies never;
    }
  }

  async #publishAll(pulses: readonly OutboundPulse[], signal: AbortSignal): Promise<void> {
    const queue = pulses.values();
    const worker = async (): Promise<void> => {
      for (const pulse of queue) {
        if (signal.aborted) return;
        await this.#publisher.publish(pulse, "message decision matched");
      }
    };
    await Promise.all(Array.from({ length: PUBLISH_CONCURRENCY }, worker));
  }
}
