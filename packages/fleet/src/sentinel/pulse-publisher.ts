import { toError } from "@levelset/core";
import type { Clock, Logger, Random } from "@levelset/core";
import type { Broker } from "../broker/index.ts";
import { UuidSource } from "../service/index.ts";
import type { Pulse } from "./judgement.ts";
import { pulseEvent } from "./pulse-event.ts";
import { RareLog } from "./rare-log.ts";
import type { SentinelMetrics } from "./sentinel-metrics.ts";
import type { SentinelTracer } from "./trace-parent.ts";

/** What sending pulses needs. */
export interface PublisherOptions {
  readonly broker: Pick<Broker, "publish">;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: SentinelMetrics;
  readonly tracer: SentinelTracer;
  /** After this a publish is given up. */
  readonly publishTimeoutMs: number;
}

/** Sends pulses. */
export class PulsePublisher {
  readonly #options: PublisherOptions;
  readonly #ids: UuidSource;
  readonly #failures: RareLog;

  constructor(options: PublisherOptions) {
    this.#options = options;
    this.#ids = new UuidSource(options);
    this.#failures = new RareLog(options);
  }

  /** Sends one; false if the broker did not take it, which is counted and logged. Pulses of one resource keep their order. */
  async publish(pulse: Pulse, reason: string): Promise<boolean> {
    const { logger, metrics, tracer } = this.#options;
    const { id, kind, rule } = pulse;
    try {
      await tracer.span(`${rule.topic} publish`, (traceparent) => this.#send(pulse, traceparent));
    } catch (error) {
      metrics.brokerError(rule);
      const fields = { resource: id, topic: rule.topic, reason, error: toError(error).message };
      this.#failures.warn(rule.topic, "pulse not published", fields);
      return false;
    }
    metrics.published(rule, reason);
    logger.debug("pulse published", { resource: id, kind, topic: rule.topic, reason });
    return true;
  }

  async #send({ id, kind, rule, subject, dueAdapters }: Pulse, traceparent: string | undefined): Promise<void> {
    const { broker, clock, publishTimeoutMs } = this.#options;
    const data = rule.data.build(subject);
    const event = pulseEvent({ id: this.#ids.next(), kind, data, dueAdapters, traceparent });
    const controller = new AbortController();
    const timer = clock.after(publishTimeoutMs, () => controller.abort());
    try {
      await broker.publish(rule.topic, event, { key: id, signal: controller.signal });
    } finally {
      timer.cancel();
    }
  }
}
