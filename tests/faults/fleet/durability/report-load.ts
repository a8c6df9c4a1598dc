import { EVERY_TENANT } from "@levelset/fleet/server";
import type { FleetStore } from "@levelset/fleet";
import { journalOf } from "../consistency.ts";
import type { FleetHttpClient } from "../../../support/fleet/http.ts";
import { CLUSTER_ADAPTERS, freshTime, reportBody } from "../../../support/fleet/fleet-user.ts";
import type { WireResource } from "../../../support/fleet/wire.ts";

/** A report that is identified by its time. */
export interface LoadReport {
  readonly cluster: WireResource;
  readonly adapter: string;
  readonly time: number;
  readonly body: object;
}

/** Returns different reports on clusters, spread over all clusters and adapters. */
export function reportsOn(clusters: readonly WireResource[], count: number): readonly LoadReport[] {
  return Array.from({ length: count }, (_, index) => {
    const cluster = clusters[index % clusters.length];
    if (cluster === undefined) throw new TypeError("there are no clusters");
    const round = Math.floor(index / clusters.length);
    const adapter = CLUSTER_ADAPTERS[round % CLUSTER_ADAPTERS.length] ?? "dns";
    const time = freshTime();
    const available = index % 7 === 0 ? "False" : "True";
    return { cluster, adapter, time, body: reportBody(adapter, 1, available, { time, data: { index } }) };
  });
}

/** Sends reports concurrently and records the acknowledged ones. */
export class ReportLoad {
  readonly acknowledged: LoadReport[] = [];
  /** Reports without a response or with an error response: they may or may not have taken effect. */
  readonly uncertain: LoadReport[] = [];
  /** Responses other than 201, 204 and 503, which are unexpected for valid reports. */
  readonly unexpected: string[] = [];
  readonly #http: FleetHttpClient;
  readonly #onAcknowledged: (count: number) => void;

  constructor(http: FleetHttpClient, onAcknowledged: (count: number) => void = () => {}) {
    this.#http = http;
    this.#onAcknowledged = onAcknowledged;
  }

  async send(reports: readonly LoadReport[]): Promise<void> {
    await Promise.all(reports.map((report) => this.#one(report)));
  }

  async #one(report: LoadReport): Promise<void> {
    try {
      const response = await this.#http.put(`${report.cluster.href}/statuses`, report.body);
      if (response.status === 201 || response.status === 204) {
        this.acknowledged.push(report);
        this.#onAcknowledged(this.acknowledged.length);
        return;
      }
      if (response.status !== 503) this.unexpected.push(`${response.status} ${response.text}`);
    } catch {
      // The connection was cut: that is what the test is about.
    }
    this.uncertain.push(report);
  }
}

/** Returns the problems of reports: an acknowledged one is missing, or one was applied more than once. */
export async function lostOrDuplicateReports(
  store: FleetStore,
  clusters: readonly WireResource[],
  { acknowledged }: Pick<ReportLoad, "acknowledged">,
): Promise<readonly string[]> {
  const problems: string[] = [];
  const reported = Map.groupBy(acknowledged, ({ cluster }) => cluster.id);
  for (const { id, name } of clusters) {
    const journal = (await journalOf(store, id)).filter(({ action }) => action === "report");
    const applied = new Map<string, number>();
    const received = new Set<string>();
    for (const { adapter, details } of journal) {
      const key = `${adapter} ${timeIn(details?.["report"])}`;
      received.add(key);
      if (details?.["outcome"] === "verdict") applied.set(key, (applied.get(key) ?? 0) + 1);
    }
    for (const [key, times] of applied) if (times > 1) problems.push(`${name}: ${key} was applied ${times} times`);
    const stored = await store.load({ id, scope: EVERY_TENANT });
    for (const { adapter, time } of reported.get(id) ?? []) {
      if (!received.has(`${adapter} ${new Date(time).toISOString()}`))
        problems.push(`${name}: ${adapter} ${time} is lost`);
      const storedTime = stored?.statuses.find((status) => status.adapter === adapter)?.verdict?.observedTime ?? 0;
      if (storedTime < time)
        problems.push(`${name}: ${adapter} is at ${storedTime}, although ${time} was acknowledged`);
    }
  }
  return problems;
}

function timeIn(report: unknown): string {
  // The journal stores a report as it was sent.
  return (report as { readonly observed_time: string }).observed_time;
}
