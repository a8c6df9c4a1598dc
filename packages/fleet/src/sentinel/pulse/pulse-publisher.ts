import { LinkedAbortController, toError } from "@levelset/core/internal";
import type { Clock, Logger, Random } from "@levelset/core";
import type { Broker } from "../../broker/index.ts";
import { UuidSource } from "../../service/index.ts";
import type { OutboundPulse } from "../decision/plan-claim.ts";
import { pulseEvent } from "./pulse-event.ts";
import { RateLimitedLog } from "../rate-limited-log.ts";
import type { SentinelMetrics } from "../sentinel-metrics.ts";
import type { SentinelTracer } from "../sentinel-tracer.ts";

/** Options of {@link PulsePublisher}. */
export interface PulsePublisherOptions {
  readonly broker: Pick<Broker, "publish">;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: SentinelMetrics;
  readonly tracer: SentinelTracer;
  /** Timeout of one publish. */
  readonly publishTimeoutMs: number;
}

/** Publishes pulses to the broker. */
export class PulsePublisher {
  readonly #options: PulsePublisherOptions;
  readonly #ids: UuidSource;
  readonly #failures: RateLimitedLog;

  constructor(options: PulsePublisherOptions) {
    this.#options = options;
    this.#ids = new UuidSource(options);
    this.#failures = new RateLimitedLog(options);
  }

  /**
   * Publishes one pulse. Resolves to false if the broker rejects it, which is counted and logged. Pulses of one
   * resource keep the order.
   */
  async publish(pulse: OutboundPulse, reason: string): Promise<boolean> {
    const { logger, metrics, tracer } = this.#options;
    const { id, kind, rule } = pulse;
    try {
      await tracer.span(`${rule.topic} publish`, (traceparent) => this.#send(pulse, traceparent));
    } catch (error) {
      metrics.brokerError(rule);
      const fields = { resource: id, topic: rule.topic, reason, err: toError(error).message };
      this.#failures.warn(rule.topic, "pulse not published", fields);
      return false;
    }
    metrics.published(rule, reason);
    logger.debug("pulse published", { resource: id, kind, topic: rule.topic, reason });
    return true;
  }

  async #send({ id, kind, rule, subject, dueAdapters }: OutboundPulse, traceparent: string | undefined): Promise<void> {
    const { broker, clock, publishTimeoutMs } = this.#options;
    const data = rule.data.build(subject);
    const event = pulseEvent({ id: this.#ids.next(), kind, data, dueAdapters, traceparent });
    using limit = new LinkedAbortController([], { clock, ms: publishTimeoutMs });
    await broker.publish(rule.topic, event, { key: id, signal: limit.signal });
  }
}
