import type { Fetch } from "@levelset/core";
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import { wrapFetch } from "../client/index.ts";
import type { ThrottleReason } from "../client/index.ts";
import type { InformerHealth } from "../cache/index.ts";
import type { ControllerHealth, RunRecord } from "../controller/index.ts";

/** Data sources that are read at each scrape. */
export interface MetricSources {
  readonly now: () => number;
  readonly informers: () => readonly InformerHealth[];
  /** controller → its health. */
  readonly controllers: () => Readonly<Record<string, ControllerHealth>>;
  readonly isLeading: () => boolean;
  readonly droppedEvents: () => number;
  readonly throttledSeconds: () => Readonly<Record<ThrottleReason, number>>;
}

const SECONDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60, 300];

/** The metrics of a running operator in the Prometheus text format. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #runs: Counter<"controller" | "result">;
  readonly #seconds: Histogram<"controller">;
  readonly #waits: Histogram<"controller">;
  readonly #writes: Counter<"controller">;
  readonly #conflicts: Counter<"controller" | "action">;
  readonly #hotLoops: Counter<"controller">;
  readonly #contested: Counter<"controller">;
  readonly #defects: Counter<"controller" | "step">;
  readonly #requests: Counter<"method" | "code">;

  constructor(sources: MetricSources) {
    const registers = [this.#registry];
    const controller = { labelNames: ["controller"] as const, registers };
    this.#runs = new Counter({
      name: "levelset_runs_total",
      help: "Runs by result.",
      labelNames: ["controller", "result"],
      registers,
    });
    this.#seconds = new Histogram({
      name: "levelset_run_seconds",
      help: "How long runs take.",
      buckets: SECONDS,
      ...controller,
    });
    this.#waits = new Histogram({
      name: "levelset_run_wait_seconds",
      help: "How long keys wait in the queue before a run.",
      buckets: SECONDS,
      ...controller,
    });
    this.#writes = new Counter({
      name: "levelset_run_writes_total",
      help: "Writes of objects by runs.",
      ...controller,
    });
    this.#conflicts = new Counter({
      name: "levelset_write_conflicts_total",
      help: "Writes that conflicted with those of other clients, by whether the write or the run was retried.",
      labelNames: ["controller", "action"],
      registers,
    });
    this.#hotLoops = new Counter({
      name: "levelset_hot_loops_total",
      help: "How often an object was throttled because it was written repeatedly.",
      ...controller,
    });
    this.#contested = new Counter({
      name: "levelset_contested_writes_total",
      help: "Writes to contested objects: each restored a field that another client had reverted.",
      ...controller,
    });
    this.#defects = new Counter({
      name: "levelset_step_defects_total",
      help: "How often a step failed by a programming error.",
      labelNames: ["controller", "step"],
      registers,
    });
    this.#requests = new Counter({
      name: "levelset_requests_total",
      help: "Requests to the API server by method and status code; code 0 means no response.",
      labelNames: ["method", "code"],
      registers,
    });
    throttledCounter(sources, registers);
    this.#gauges(sources);
    collectDefaultMetrics({ register: this.#registry });
  }

  /** Wraps a fetch to count requests. */
  countRequests(fetch: Fetch): Fetch {
    return wrapFetch(fetch, async ({ method }, next) => {
      try {
        const result = await next();
        this.#requests.inc({ method, code: String(result.status) });
        return result;
      } catch (error) {
        this.#requests.inc({ method, code: "0" });
        throw error;
      }
    });
  }

  /** Records a run. */
  observeRun(controller: string, record: RunRecord): void {
    const { report } = record;
    this.#runs.inc({ controller, result: report.kind === "ran" ? report.result.kind : report.kind });
    this.#seconds.observe({ controller }, record.durationMs / 1_000);
    this.#waits.observe({ controller }, record.waitedMs / 1_000);
    this.#writes.inc({ controller }, report.writes);
    const reruns = report.kind === "again" && report.why === "conflict" ? Math.min(1, report.conflicts.length) : 0;
    this.#conflicts.inc({ controller, action: "rerun" }, reruns);
    this.#conflicts.inc({ controller, action: "rewrite" }, report.conflicts.length - reruns);
    if (report.kind !== "ran") return;
    this.#contested.inc({ controller }, report.contested ?? 0);
    for (const { step, isDefect } of report.steps) if (isDefect) this.#defects.inc({ controller, step });
  }

  /** Counts a defect of a step that was found after its run. */
  countDefect(controller: string, step: string): void {
    this.#defects.inc({ controller, step });
  }

  /** Counts a throttled object. */
  countHotLoop(controller: string): void {
    this.#hotLoops.inc({ controller });
  }

  /** Returns all metrics and their content type. */
  async render(): Promise<{ readonly body: string; readonly contentType: string }> {
    return { body: await this.#registry.metrics(), contentType: this.#registry.contentType };
  }

  #gauges(sources: MetricSources): void {
    const gauge = <Label extends string>(
      name: string,
      help: string,
      labelNames: readonly Label[],
      read: (set: (labels: Readonly<Record<Label, string>>, value: number) => void) => void,
    ): void => {
      const made: Gauge<Label> = new Gauge({
        name: `levelset_${name}`,
        help,
        labelNames: [...labelNames],
        registers: [this.#registry],
        collect: () => {
          made.reset();
          read((labels, value) => made.set({ ...labels }, value));
        },
      });
    };
    gauge("leading", "1 while this process leads.", [], (set) => set({}, sources.isLeading() ? 1 : 0));
    gauge("events_dropped", "Dropped Events.", [], (set) => set({}, sources.droppedEvents()));
    gauge("queue_keys", "Keys by state.", ["controller", "state"], (set) => {
      for (const [controller, health] of Object.entries(sources.controllers())) {
        for (const state of ["waiting", "delayed", "running"] as const) set({ controller, state }, health[state]);
      }
    });
    gauge("queue_oldest_seconds", "How long the oldest key has been waiting.", ["controller"], (set) => {
      for (const [controller, { oldestAt }] of Object.entries(sources.controllers())) {
        set({ controller }, oldestAt === undefined ? 0 : (sources.now() - oldestAt) / 1_000);
      }
    });
    this.#cacheGauges(sources, gauge);
  }

  #cacheGauges(
    sources: MetricSources,
    gauge: (
      name: string,
      help: string,
      labelNames: readonly "kind"[],
      read: (set: (labels: { readonly kind: string }, value: number) => void) => void,
    ) => void,
  ): void {
    /** Sums the informers of a kind: it may be watched by namespace and by label. */
    const perKind = (
      name: string,
      help: string,
      valueOf: (health: InformerHealth) => number,
      join: (values: readonly number[]) => number,
    ): void =>
      gauge(`cache_${name}`, help, ["kind"], (set) => {
        for (const [kind, parts] of Map.groupBy(sources.informers(), (health) => health.kind)) {
          set({ kind }, join(parts.map(valueOf)));
        }
      });
    const least = (values: readonly number[]): number => Math.min(...values);
    const most = (values: readonly number[]): number => Math.max(...values);
    const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
    const silence = ({ lastEventAt }: InformerHealth): number =>
      lastEventAt === undefined ? 0 : (sources.now() - lastEventAt) / 1_000;
    perKind("objects", "Cached objects.", ({ objects }) => objects, sum);
    perKind("synced", "1 once the first list is complete.", ({ isSynced }) => (isSynced ? 1 : 0), least);
    perKind("silence_seconds", "Time since the last event or bookmark from the server.", silence, most);
    perKind("lists", "Full lists since the start.", ({ lists }) => lists, sum);
    perKind("connects", "Watches opened since the start.", ({ connects }) => connects, sum);
    perKind("failures", "Consecutive failures.", ({ failures }) => failures, most);
  }
}

function throttledCounter({ throttledSeconds }: MetricSources, registers: Registry[]): void {
  const counter: Counter<"reason"> = new Counter({
    name: "levelset_client_throttled_seconds_total",
    help: "How long requests waited, by reason: qps, or retry-after if the API server asked to hold back.",
    labelNames: ["reason"],
    registers,
    collect: () => {
      counter.reset();
      for (const [reason, seconds] of Object.entries(throttledSeconds())) counter.inc({ reason }, seconds);
    },
  });
}
