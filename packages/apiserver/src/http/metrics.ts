/** What is counted of a request. All values come from fixed lists or from what is declared, never from the request alone. */
export interface RequestLabels {
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly scope: string;
}

/** A number that is read when somebody asks for it. */
export interface Gauge {
  readonly name: string;
  readonly help: string;
  /** Values by label text, such as `resource="pods"`; the empty text for a number without labels. */
  readonly read: () => readonly (readonly [labels: string, value: number])[];
}

/** Upper bounds in seconds, as the real server has them. */
const BUCKETS: readonly number[] = [
  0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60,
];

interface Histogram {
  readonly labels: string;
  /** One for each bucket, not summed up. */
  readonly counts: number[];
  sum: number;
  count: number;
}

/** Counts requests, and writes all figures in the text format of Prometheus. */
export class Metrics {
  /** Label text → how many. */
  readonly #total = new Map<string, number>();
  readonly #durations = new Map<string, Histogram>();
  readonly #gauges = new Set<Gauge>();
  #inFlight = { readOnly: 0, mutating: 0 };
  /** Label text → watches that are open. */
  readonly #watches = new Map<string, number>();

  /** Adds a number that is read on demand; the returned function removes it. */
  gauge(gauge: Gauge): () => void {
    this.#gauges.add(gauge);
    return () => this.#gauges.delete(gauge);
  }

  /** Counts a request from its start; the returned function ends it. */
  begin(isMutating: boolean): () => void {
    const kind = isMutating ? "mutating" : "readOnly";
    this.#inFlight[kind]++;
    return () => {
      this.#inFlight[kind]--;
    };
  }

  /** Counts an answer. Watches have no duration: they last as long as their clients like. */
  answered(labels: RequestLabels, code: number, seconds: number): void {
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

  /** Counts an open watch; the returned function ends it. */
  watching({ group, version, plural }: { group: string; version: string; plural: string }): () => void {
    const key = `verb="WATCH",group="${group}",version="${version}",resource="${plural}"`;
    this.#watches.set(key, (this.#watches.get(key) ?? 0) + 1);
    return () => {
      const left = (this.#watches.get(key) ?? 0) - 1;
      if (left > 0) this.#watches.set(key, left);
      else this.#watches.delete(key);
    };
  }

  /** How many watches are open. */
  get watches(): number {
    return [...this.#watches.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Everything, in the text format of Prometheus. */
  text(): string {
    const inFlight = Object.entries(this.#inFlight).map(([kind, count]) => [`request_kind="${kind}"`, count] as const);
    return [
      ...family("apiserver_request_total", "counter", "Requests answered.", [...this.#total]),
      ...this.#histogramLines(),
      ...family("apiserver_current_inflight_requests", "gauge", "Requests not answered yet.", inFlight),
      ...family("apiserver_longrunning_requests", "gauge", "Watches that are open.", [...this.#watches]),
      ...this.#gaugeLines(),
      "",
    ].join("\n");
  }

  /** Several gauges may share a name, with labels of their own. */
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
    return [`# HELP ${name} Time until a request was answered.`, `# TYPE ${name} histogram`, ...lines];
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

/** Label texts are made once for each set of labels: they are asked for with every request. */
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
