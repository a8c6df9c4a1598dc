import { Counter, Gauge, Histogram, Registry } from "prom-client";

const SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];

/** How a run ended, for the figures. */
export type RunStatus = "success" | "failed" | "skipped";

/** The figures of an adapter in the form that Prometheus reads. */
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
    new Gauge({ ...named("build_info", "Which adapter this is."), labelNames: ["adapter", "version"] as const }).set(
      { adapter: adapter.name, version: adapter.version },
      1,
    );
    new Gauge(named("up", "Whether it runs.")).set(1);
    this.#processed = new Counter({ ...named("events_processed_total", "Runs that ended."), labelNames: ["status"] });
    this.#seconds = new Histogram({
      ...named("event_processing_duration_seconds", "How long a run takes."),
      buckets: SECONDS,
    });
    this.#errors = new Counter({ ...named("errors_total", "Phases that failed."), labelNames: ["phase"] });
    this.#running = new Gauge(named("runs_in_progress", "Runs under way."));
    this.#changes = new Counter(named("changes_total", "Changes of applied objects that were answered with a run."));
  }

  began(): void {
    this.#running.inc();
  }

  ended(status: RunStatus, phases: readonly string[], ms: number): void {
    this.#running.dec();
    this.#processed.inc({ status });
    this.#seconds.observe(ms / 1_000);
    for (const phase of phases) this.#errors.inc({ phase });
  }

  changed(): void {
    this.#changes.inc();
  }

  /** All figures, as Prometheus reads them. */
  async render(): Promise<{ readonly body: string; readonly contentType: string }> {
    return { body: await this.#registry.metrics(), contentType: this.#registry.contentType };
  }
}
