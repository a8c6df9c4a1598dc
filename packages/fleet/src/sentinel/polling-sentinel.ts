import { toError } from "@levelset/core";
import type { Clock, JsonObject, Logger, Random } from "@levelset/core";
import type { Broker } from "../broker/index.ts";
import { ApiSourceError } from "./api-source.ts";
import type { ApiSource } from "./api-source.ts";
import { Bell } from "./bell.ts";
import { HAS_FAILED, IS_FALSE } from "./judgement.ts";
import type { Pulse } from "./judgement.ts";
import { PulsePublisher } from "./pulse-publisher.ts";
import type { PulseRule } from "./pulse-rule.ts";
import { RareLog } from "./rare-log.ts";
import type { SentinelHealth } from "./sentinel-health.ts";
import { SentinelMetrics } from "./sentinel-metrics.ts";
import { NO_TRACES } from "./trace-parent.ts";
import type { SentinelTracer } from "./trace-parent.ts";

/** What a Sentinel that polls needs. */
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
/** How many are published at the same time. */
const LANES = 16;
const MISSED_MAX = 3;

/**
 * A Sentinel for an API that it can only ask: it reads all resources of a type again and again, decides on each and pulses. It remembers nothing, so
 * what failed is decided anew in the next cycle; two of them pulse everything twice.
 */
export class PollingSentinel implements SentinelHealth {
  readonly metrics: SentinelMetrics;
  readonly #options: PollingSentinelOptions;
  readonly #publisher: PulsePublisher;
  readonly #tracer: SentinelTracer;
  readonly #failures: RareLog;
  /** In monotonic time. */
  #polledAt: number | undefined;
  #isStopping = false;

  constructor(options: PollingSentinelOptions) {
    const { tracer = NO_TRACES, metrics = new SentinelMetrics(), publishTimeoutMs = PUBLISH_TIMEOUT_MS } = options;
    this.#options = options;
    this.#tracer = tracer;
    this.metrics = metrics;
    this.#publisher = new PulsePublisher({ ...options, metrics, tracer, publishTimeoutMs });
    this.#failures = new RareLog(options);
  }

  /** Polls until `signal` aborts. Rejects with an ApiSourceError if the API cannot be asked at the start. */
  async run(signal: AbortSignal): Promise<void> {
    const { source, clock, rule } = this.#options;
    signal.addEventListener("abort", () => (this.#isStopping = true), { once: true });
    await source.verify(signal);
    const rest = new Bell(clock);
    while (!signal.aborted) {
      const start = clock.monotonic();
      await this.#tracer.span("sentinel.poll", () => this.poll(signal));
      await rest.wait(Math.max(0, start + rule.pollIntervalMs - clock.monotonic()), signal);
    }
  }

  /** One cycle. Does not reject: what went wrong is counted and logged. */
  async poll(signal: AbortSignal): Promise<void> {
    const { source, clock, rule, logger } = this.#options;
    const start = clock.monotonic();
    let resources: readonly JsonObject[];
    try {
      resources = await source.all(signal);
    } catch (error) {
      if (signal.aborted) return;
      const type = error instanceof ApiSourceError ? error.type : "fetch_error";
      this.metrics.apiError(rule, type);
      logger.warn("poll failed", { resourceType: rule.resourceType, type, error: toError(error).message });
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

  /** Why it should be started anew: no poll has succeeded for three intervals. Before the first there is nothing to tell. */
  live(): readonly string[] {
    const { clock, rule } = this.#options;
    if (this.#polledAt === undefined) return [];
    const silentMs = clock.monotonic() - this.#polledAt;
    return silentMs > MISSED_MAX * rule.pollIntervalMs ? [`no poll has succeeded for ${silentMs} ms`] : [];
  }

  /** Why it does not do its work; empty when it does. */
  async ready(): Promise<readonly string[]> {
    if (this.#isStopping) return ["it is stopping"];
    const health = await this.#options.broker.health();
    return [
      ...(this.#polledAt === undefined ? ["no poll has succeeded yet"] : []),
      ...(health.kind === "down" ? [`broker: ${health.reason}`] : []),
    ];
  }

  #decide(resource: JsonObject, now: number): readonly Pulse[] {
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
        this.metrics.skipped(rule, IS_FALSE);
        return [];
      case "failed":
        this.metrics.skipped(rule, HAS_FAILED);
        this.#failures.warn(verdict.reason, "decision failed", { resource: id, problem: verdict.reason });
        return [];
      default:
        return verdict satisfies never;
    }
  }

  async #publishAll(pulses: readonly Pulse[], signal: AbortSignal): Promise<void> {
    const queue = pulses.values();
    const lane = async (): Promise<void> => {
      for (const pulse of queue) {
        if (signal.aborted) return;
        await this.#publisher.publish(pulse, "message decision matched");
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
  }
}
