/** Labels of a request. All values come from fixed lists or from served resources, never from the request alone. */
export interface RequestLabels {
  readonly verb: RequestVerb;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly scope: RequestScope;
}

/** HTTP methods that are counted by name. */
export const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

/** Verbs of requests, as in `k8s.io/apiserver/pkg/endpoints/metrics/metrics.go` (Kubernetes 1.36). */
export type RequestVerb = (typeof METHODS)[number] | "WATCH" | "LIST" | "DELETECOLLECTION" | "APPLY" | "OTHER";

/** What a request is about; empty for non-resource requests. */
export type RequestScope = "" | "cluster" | "namespace" | "resource";

/** A gauge that is read on each scrape. */
export interface Gauge {
  readonly name: string;
  readonly help: string;
  /** Values by label text, such as `resource="pods"`; the empty string for a value without labels. */
  readonly read: () => readonly (readonly [labels: string, value: number])[];
}

/** Upper bounds in seconds, from `k8s.io/apiserver/pkg/endpoints/metrics/metrics.go` (Kubernetes 1.36). */
const BUCKETS: readonly number[] = [
  0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60,
];

interface Histogram {
  readonly labels: string;
  /** Count per bucket, not cumulative. */
  readonly counts: number[];
  sum: number;
  count: number;
}

/** Counts requests and renders all metrics in the Prometheus text format. */
export class ApiServerMetrics {
  /** Counts by label text. */
  readonly #total = new Map<string, number>();
  readonly #durations = new Map<string, Histogram>();
  readonly #gauges = new Set<Gauge>();
  #inFlight = { readOnly: 0, mutating: 0 };
  /** Open watches by label text. */
  readonly #watches = new Map<string, number>();

  /** Adds a gauge that is read on each scrape. Returns a function that removes it. */
  addGauge(addGauge: Gauge): () => void {
    this.#gauges.add(addGauge);
    return () => this.#gauges.delete(addGauge);
  }

  /** Counts a request as in flight. Returns a function that ends it. */
  trackInFlight(isMutating: boolean): () => void {
    const kind = isMutating ? "mutating" : "readOnly";
    this.#inFlight[kind]++;
    return () => {
      this.#inFlight[kind]--;
    };
  }

  /** Counts a response. Watches have no duration, because the client decides when they end. */
  observeRequest(labels: RequestLabels, code: number, seconds: number): void {
    const text = labelText(labels);
    const key = `code="${code}",${text}`;
    this.#total.set(key, (this.#total.get(key) ?? 0) + 1);
    if (labels.verb === "WATCH") return;
    let histogram = this.#durations.get(text);
    if (histogram === undefined) {
      histogram = { labels: text, counts: BUCKETS.map(() => 0), sum: 0, count: 0 };
      this.#durations.set(text, histogram);
    }
    const bucket = BUCKETS.findIndex((bound) => seconds <= bound);
    if (bucket !== -1) histogram.counts[bucket] = (histogram.counts[bucket] ?? 0) + 1;
    histogram.sum += seconds;
    histogram.count++;
  }

  /** Counts an open watch. Returns a function that ends it. */
  trackWatch({ group, version, plural }: { group: string; version: string; plural: string }): () => void {
    const key = `verb="WATCH",group="${group}",version="${version}",resource="${plural}"`;
    this.#watches.set(key, (this.#watches.get(key) ?? 0) + 1);
    return () => {
      const left = (this.#watches.get(key) ?? 0) - 1;
      if (left > 0) this.#watches.set(key, left);
      else this.#watches.delete(key);
    };
  }

  /** Number of open watches. */
  get openWatches(): number {
    return [...this.#watches.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Renders all metrics in the Prometheus text format. */
  render(): string {
    const inFlight = Object.entries(this.#inFlight).map(([kind, count]) => [`request_kind="${kind}"`, count] as const);
    return [
      ...family("apiserver_request_total", "counter", "Number of completed requests.", [...this.#total]),
      ...this.#histogramLines(),
      ...family("apiserver_current_inflight_requests", "gauge", "Number of requests in flight.", inFlight),
      ...family("apiserver_longrunning_requests", "gauge", "Number of open watches.", [...this.#watches]),
      ...this.#gaugeLines(),
      "",
    ].join("\n");
  }

  /** Several gauges may share a name with different labels. */
  #gaugeLines(): readonly string[] {
    const byName = Map.groupBy(this.#gauges, ({ name }) => name);
    return [...byName].flatMap(([name, gauges]) => {
      const help = gauges[0]?.help ?? "";
      return family(
        name,
        "gauge",
        help,
        gauges.flatMap(({ read }) => read()),
      );
    });
  }

  #histogramLines(): readonly string[] {
    const name = "apiserver_request_duration_seconds";
    const lines = [...this.#durations.values()].flatMap(({ labels, counts, sum, count }) => {
      let below = 0;
      const buckets = BUCKETS.map((bound, index) => {
        below += counts[index] ?? 0;
        return `${name}_bucket{${labels},le="${bound}"} ${below}`;
      });
      return [
        ...buckets,
        `${name}_bucket{${labels},le="+Inf"} ${count}`,
        `${name}_sum{${labels}} ${sum}`,
        `${name}_count{${labels}} ${count}`,
      ];
    });
    return [`# HELP ${name} Duration of requests in seconds.`, `# TYPE ${name} histogram`, ...lines];
  }
}

function family(
  name: string,
  type: "counter" | "gauge",
  help: string,
  values: readonly (readonly [string, number])[],
): readonly string[] {
  const lines = values.map(([labels, value]) => `${name}${labels === "" ? "" : `{${labels}}`} ${value}`);
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines];
}

/** Caches the label text per label set, because every request needs it. */
const texts = new WeakMap<RequestLabels, string>();

function labelText(labels: RequestLabels): string {
  const known = texts.get(labels);
  if (known !== undefined) return known;
  const text = Object.entries(labels)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(",");
  texts.set(labels, text);
  return text;
}
