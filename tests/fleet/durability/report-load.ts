import { EVERY_TENANT } from "@levelset/fleet";
import type { FleetStore } from "@levelset/fleet";
import { journalOf } from "../consistency.ts";
import type { HttpCaller } from "../http.ts";
import { CLUSTER_ADAPTERS, freshTime, reportBody } from "../user.ts";
import type { WireResource } from "../wire.ts";

/** A report that is told from all others by its time. */
export interface LoadReport {
  readonly cluster: WireResource;
  readonly adapter: string;
  readonly time: number;
  readonly body: object;
}

/** Reports on clusters, all different; every cluster and adapter gets some. */
export function reportsOn(clusters: readonly WireResource[], count: number): readonly LoadReport[] {
  return Array.from({ length: count }, (_, index) => {
    const cluster = clusters[index % clusters.length];
    if (cluster === undefined) throw new TypeError("there are no clusters");
    const turn = Math.floor(index / clusters.length);
    const adapter = CLUSTER_ADAPTERS[turn % CLUSTER_ADAPTERS.length] ?? "dns";
    const time = freshTime();
    const available = index % 7 === 0 ? "False" : "True";
    return { cluster, adapter, time, body: reportBody(adapter, 1, available, { time, data: { index } }) };
  });
}

/** Sends reports, all at the same time, and notes which of them were acknowledged. */
export class ReportLoad {
  readonly acknowledged: LoadReport[] = [];
  /** Those that nobody answered, or that were answered with an error: they may have happened or not. */
  readonly uncertain: LoadReport[] = [];
  /** Answers other than 201, 204 and 503: nothing else may come of a right report. */
  readonly strange: string[] = [];
  readonly #http: HttpCaller;
  readonly #onAcknowledged: (count: number) => void;

  constructor(http: HttpCaller, onAcknowledged: (count: number) => void = () => {}) {
    this.#http = http;
    this.#onAcknowledged = onAcknowledged;
  }

  async send(reports: readonly LoadReport[]): Promise<void> {
    await Promise.all(reports.map((report) => this.#one(report)));
  }

  async #one(report: LoadReport): Promise<void> {
    try {
      const answer = await this.#http.put(`${report.cluster.href}/statuses`, report.body);
      if (answer.status === 201 || answer.status === 204) {
        this.acknowledged.push(report);
        this.#onAcknowledged(this.acknowledged.length);
        return;
      }
      if (answer.status !== 503) this.strange.push(`${answer.status} ${answer.text}`);
    } catch {
      // The connection was cut: that is what the test is about.
    }
    this.uncertain.push(report);
  }
}

/** What is wrong with what became of reports: an acknowledged one is missing, or one was applied more than once. */
export async function lostOrDoubled(
  store: FleetStore,
  clusters: readonly WireResource[],
  { acknowledged }: Pick<ReportLoad, "acknowledged">,
): Promise<readonly string[]> {
  const problems: string[] = [];
  const told = Map.groupBy(acknowledged, ({ cluster }) => cluster.id);
  for (const { id, name } of clusters) {
    const journal = (await journalOf(store, id)).filter(({ action }) => action === "report");
    const applied = new Map<string, number>();
    const heard = new Set<string>();
    for (const { adapter, details } of journal) {
      const key = `${adapter} ${timeIn(details?.["report"])}`;
      heard.add(key);
      if (details?.["outcome"] === "verdict") applied.set(key, (applied.get(key) ?? 0) + 1);
    }
    for (const [key, times] of applied) if (times > 1) problems.push(`${name}: ${key} was applied ${times} times`);
    const stored = await store.load({ id, scope: EVERY_TENANT });
    for (const { adapter, time } of told.get(id) ?? []) {
      if (!heard.has(`${adapter} ${new Date(time).toISOString()}`))
        problems.push(`${name}: ${adapter} ${time} is lost`);
      const kept = stored?.statuses.find((status) => status.adapter === adapter)?.verdict?.observedTime ?? 0;
      if (kept < time) problems.push(`${name}: ${adapter} is at ${kept}, although ${time} was acknowledged`);
    }
  }
  return problems;
}

function timeIn(report: unknown): string {
  // The journal keeps a report as it was sent.
  return (report as { readonly observed_time: string }).observed_time;
}
