import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { PulseRule } from "./decision/pulse-rule.ts";
import { selectorText } from "./decision/pulse-rule.ts";

const LABELS = ["resource_type", "resource_selector"] as const;
type Label = (typeof LABELS)[number];
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Metric labels of a rule. */
export type RuleLabels = Pick<PulseRule, "resourceType" | "selector">;

/** Why a poll of the API failed. */
export type ApiError = "fetch_error" | "auth_error";

/** Prometheus metrics of a Sentinel. The first seven are those of the HyperFleet Sentinel. */
export class SentinelMetrics {
  readonly #registry: Registry;
  readonly #pending: Gauge<Label>;
  readonly #published: Counter<Label | "reason">;
  readonly #skipped: Counter<Label | "reason">;
  readonly #pollSeconds: Histogram<Label>;
  readonly #apiErrors: Counter<Label | "error_type">;
  readonly #brokerErrors: Counter<Label | "error_type">;
  readonly #polled: Gauge<Label>;
  readonly #claims: Counter<"resource_type" | "cause">;
  readonly #lag: Histogram<"resource_type" | "cause">;
  readonly #flapping: Counter<"resource_type" | "adapter">;
  readonly #storeErrors: Counter;
  readonly #swept: Counter;
  readonly #repairs: Counter<"resource_type">;

  constructor(registry: Registry = new Registry()) {
    this.#registry = registry;
    const registers = [registry];
    const named = (name: string, help: string): { name: string; help: string; registers: Registry[] } => {
      return { name: `hyperfleet_sentinel_${name}`, help, registers };
    };
    const withReason = [...LABELS, "reason"] as const;
    const withError = [...LABELS, "error_type"] as const;
    const byCause = ["resource_type", "cause"] as const;
    this.#pending = new Gauge({
      ...named("pending_resources", "Resources that are due and not pulsed yet."),
      labelNames: LABELS,
    });
    this.#published = new Counter({
      ...named("events_published_total", "Messages accepted by the broker."),
      labelNames: withReason,
    });
    this.#skipped = new Counter({
      ...named("resources_skipped_total", "Resources checked and not pulsed."),
      labelNames: withReason,
    });
    this.#pollSeconds = new Histogram({
      ...named("poll_duration_seconds", "Duration of a poll of the API or a claim from the store."),
      labelNames: LABELS,
      buckets: SECONDS,
    });
    this.#apiErrors = new Counter({
      ...named("api_errors_total", "Failed polls of the API."),
      labelNames: withError,
    });
    this.#brokerErrors = new Counter({
      ...named("broker_errors_total", "Messages rejected by the broker."),
      labelNames: withError,
    });
    this.#polled = new Gauge({
      ...named("last_successful_poll_timestamp_seconds", "Time of the last successful poll or claim."),
      labelNames: LABELS,
    });
    this.#claims = new Counter({
      ...named("claims_total", "Claimed due resources by cause."),
      labelNames: byCause,
    });
    this.#lag = new Histogram({
      ...named("dispatch_lag_seconds", "Delay from the due time of a resource to its message."),
      labelNames: byCause,
      buckets: SECONDS,
    });
    this.#flapping = new Counter({
      ...named("flapping_total", "Delayed pulses for flapping adapters."),
      labelNames: ["resource_type", "adapter"],
    });
    this.#storeErrors = new Counter(named("store_errors_total", "Failed store requests."));
    this.#swept = new Counter(named("sweep_resources_total", "Resources checked by the sweep."));
    this.#repairs = new Counter({
      ...named(
        "sweep_repairs_total",
        "Resources without planned work, repaired by the sweep. Any value but 0 is a defect.",
      ),
      labelNames: ["resource_type"],
    });
  }

  /** Sets the number of due resources that are not pulsed yet. */
  pending(rule: RuleLabels, count: number): void {
    this.#pending.set(labels(rule), count);
  }

  published(rule: RuleLabels, reason: string): void {
    this.#published.inc({ ...labels(rule), reason });
  }

  skipped(rule: RuleLabels, reason: string): void {
    this.#skipped.inc({ ...labels(rule), reason });
  }

  /** Records a successful poll of the API or claim from the store. */
  polled(rule: RuleLabels, now: number, durationMs: number): void {
    this.#polled.set(labels(rule), now / 1_000);
    this.#pollSeconds.observe(labels(rule), durationMs / 1_000);
  }

  apiError(rule: RuleLabels, type: ApiError): void {
    this.#apiErrors.inc({ ...labels(rule), error_type: type });
  }

  brokerError(rule: RuleLabels): void {
    this.#brokerErrors.inc({ ...labels(rule), error_type: "publish_error" });
  }

  claimed(resourceType: string, cause: string): void {
    this.#claims.inc({ resource_type: resourceType, cause });
  }

  dispatched(resourceType: string, cause: string, lagMs: number): void {
    this.#lag.observe({ resource_type: resourceType, cause }, Math.max(0, lagMs) / 1_000);
  }

  /** Counts a delayed pulse for a flapping adapter. */
  flapping(resourceType: string, adapter: string): void {
    this.#flapping.inc({ resource_type: resourceType, adapter });
  }

  storeError(): void {
    this.#storeErrors.inc();
  }

  swept(count: number): void {
    this.#swept.inc(count);
  }

  repaired(resourceType: string): void {
    this.#repairs.inc({ resource_type: resourceType });
  }

  /** Renders all metrics in the Prometheus text format, with the media type. */
  async render(): Promise<{ readonly body: string; readonly contentType: string }> {
    return { body: await this.#registry.metrics(), contentType: this.#registry.contentType };
  }
}

function labels({ resourceType, selector }: RuleLabels): Record<Label, string> {
  return { resource_type: resourceType, resource_selector: selectorText(selector) };
}
