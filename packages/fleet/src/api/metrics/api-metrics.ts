import { toError } from "@levelset/core/internal";
import type { Clock, Logger } from "@levelset/core";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { FleetStore, KindCount } from "../../store/index.ts";
import type { ObservedRequest, Observer } from "../observer.ts";
import type { Route } from "../route.ts";
import { processMetrics } from "./process-metrics.ts";

/** Values that are read at scrape time. */
export interface ApiMetricSources {
  readonly version: string;
  readonly store: Pick<FleetStore, "counts" | "statements" | "kind">;
  readonly inFlight: () => number;
  readonly watchers: () => number;
  readonly clock: Clock;
  readonly logger: Logger;
}

const PENDING = "hyperfleet_api_resource_pending_reconciliation";
/** A resource that has not been ready for this long counts as stuck. */
const STUCK_MS = 10 * 60_000;
const NO_ROUTE = "unknown";
const METHODS: readonly string[] = ["GET", "HEAD", "POST", "PATCH", "PUT", "DELETE", "OPTIONS"];

/** The metrics of the API in the Prometheus format. */
export class ApiMetrics implements Observer {
  readonly #registry = new Registry();
  readonly #process: Registry;
  readonly #requests: Counter<"method" | "path" | "code">;
  readonly #seconds: Histogram<"method" | "path">;
  readonly #up: Gauge;
  readonly #resources: readonly (readonly [Gauge<"resource_type">, (count: KindCount) => number])[];
  readonly #sources: ApiMetricSources;

  constructor(sources: ApiMetricSources) {
    this.#sources = sources;
    const { clock } = sources;
    const registers = [this.#registry];
    this.#registry.setDefaultLabels({ component: "api", version: sources.version });
    this.#requests = new Counter({
      name: "hyperfleet_api_requests_total",
      help: "Requests by method, path and status. IDs in paths are shown as -.",
      labelNames: ["method", "path", "code"],
      registers,
    });
    this.#seconds = new Histogram({
      name: "hyperfleet_api_request_duration_seconds",
      help: "Request duration. IDs in paths are shown as -.",
      labelNames: ["method", "path"],
      registers,
    });
    this.#gauge("hyperfleet_api_build_info", "Version information.", () => 1);
    this.#gauge("hyperfleet_api_requests_in_flight", "Requests in flight.", sources.inFlight);
    this.#gauge("hyperfleet_api_watchers", "Open watches.", sources.watchers);
    this.#statements(sources);
    this.#up = new Gauge({
      name: "hyperfleet_db_up",
      help: "1 if the database responded during this scrape.",
      registers,
    });
    const pending = "Resources whose latest generation is not reconciled.";
    this.#resources = [
      [this.#perKind(PENDING, pending), ({ notReady }) => notReady],
      [
        this.#perKind(`${PENDING}_stuck`, "Pending resources that have not been ready for over ten minutes."),
        ({ stuck }) => stuck,
      ],
      [
        this.#perKind(`${PENDING}_stuck_duration_seconds`, "How long the oldest of them has not been ready."),
        ({ stuck, notReadySince }) =>
          stuck === 0 || notReadySince === undefined ? 0 : (clock.now() - notReadySince) / 1_000,
      ],
      [this.#perKind("hyperfleet_api_resources", "Resources."), ({ total }) => total],
      [this.#perKind("hyperfleet_api_resources_deleting", "Resources being deleted."), ({ deleting }) => deleting],
    ];
    this.#process = processMetrics();
  }

  observe({ method, route, status, durationMs }: ObservedRequest): void {
    const path = route === undefined ? NO_ROUTE : shownPath(route);
    // Values chosen by callers must not become labels: unbounded cardinality.
    const labels = { method: METHODS.includes(method) ? method : NO_ROUTE, path };
    this.#requests.inc({ ...labels, code: String(status) });
    this.#seconds.observe(labels, durationMs / 1_000);
  }

  async render(): Promise<{ readonly body: string; readonly contentType: string }> {
    await this.#count();
    const [own, process] = await Promise.all([this.#registry.metrics(), this.#process.metrics()]);
    return { body: `${own}\n${process}`, contentType: this.#registry.contentType };
  }

  #gauge(name: string, help: string, read: () => number): void {
    const gauge: Gauge = new Gauge({ name, help, registers: [this.#registry], collect: () => gauge.set(read()) });
  }

  #statements({ store }: ApiMetricSources): void {
    const counter: Counter<"store"> = new Counter({
      name: "hyperfleet_db_statements_total",
      help: "Statements sent to the database.",
      labelNames: ["store"],
      registers: [this.#registry],
      collect: () => {
        counter.reset();
        counter.inc({ store: store.kind }, store.statements);
      },
    });
  }

  #perKind(name: string, help: string): Gauge<"resource_type"> {
    return new Gauge({ name, help, labelNames: ["resource_type"], registers: [this.#registry] });
  }

  /** Empty series are omitted, so that alerts on them resolve. */
  async #count(): Promise<void> {
    const { store, logger, clock } = this.#sources;
    const counts = await store.counts(clock.now() - STUCK_MS).catch((error: unknown) => {
      logger.warn("resources not counted", { err: toError(error).message });
      return undefined;
    });
    for (const [gauge] of this.#resources) gauge.reset();
    this.#up.set(counts === undefined ? 0 : 1);
    for (const count of counts ?? []) {
      for (const [gauge, valueOf] of this.#resources) {
        if (valueOf(count) > 0) gauge.set({ resource_type: count.kind }, valueOf(count));
      }
    }
  }
}

function shownPath({ path }: Route): string {
  return path.replaceAll(/\{[^}]*\}/g, "-");
}
