import { Counter, Gauge, Histogram, Registry } from "prom-client";

const SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];

/** Result of a run as a metric label. */
export type RunStatus = "success" | "failed" | "skipped";

/** Prometheus metrics of an adapter. */
export class AdapterMetrics {
  readonly #registry: Registry;
  readonly #processed: Counter<"status">;
  readonly #seconds: Histogram;
  readonly #errors: Counter<"phase">;
  readonly #running: Gauge;
  readonly #changes: Counter;

  constructor(adapter: { readonly name: string; readonly version: string }, registry: Registry = new Registry()) {
    this.#registry = registry;
    const registers = [registry];
    const named = (name: string, help: string): { name: string; help: string; registers: Registry[] } => {
      return { name: `hyperfleet_adapter_${name}`, help, registers };
    };
    new Gauge({
      ...named("build_info", "Name and version of the adapter."),
      labelNames: ["adapter", "version"] as const,
    }).set({ adapter: adapter.name, version: adapter.version }, 1);
    new Gauge(named("up", "1 while the adapter is running.")).set(1);
    this.#processed = new Counter({
      ...named("events_processed_total", "Finished runs by status."),
      labelNames: ["status"],
    });
    this.#seconds = new Histogram({
      ...named("event_processing_duration_seconds", "Duration of a run."),
      buckets: SECONDS,
    });
    this.#errors = new Counter({ ...named("errors_total", "Failed phases."), labelNames: ["phase"] });
    this.#running = new Gauge(named("runs_in_progress", "Runs in progress."));
    this.#changes = new Counter(named("changes_total", "Runs triggered by changes of applied objects."));
  }

  runStarted(): void {
    this.#running.inc();
  }

  runFinished(status: RunStatus, phases: readonly string[], ms: number): void {
    this.#running.dec();
    this.#processed.inc({ status });
    this.#seconds.observe(ms / 1_000);
    for (const phase of phases) this.#errors.inc({ phase });
  }

  clusterChanged(): void {
    this.#changes.inc();
  }

  /** Renders all metrics in the Prometheus text format. */
  async render(): Promise<{ readonly body: string; readonly contentType: string }> {
    return { body: await this.#registry.metrics(), contentType: this.#registry.contentType };
  }
}
