import type { RuntimeDocument, Sample } from "../api/index.ts";

/** Maximum number of snapshots for the charts. */
const SNAPSHOTS_MAX = 120;

/** Metric values at one time, by the identity of the metric. */
export interface MetricSnapshot {
  readonly at: number;
  readonly values: ReadonlyMap<string, number>;
}

/** Returns the identity of a metric: process, name and labels. */
export function metricId(url: string, { name, labels }: Pick<Sample, "name" | "labels">): string {
  return JSON.stringify([url, name, Object.entries(labels).toSorted(([a], [b]) => (a < b ? -1 : 1))]);
}

/** Adds a snapshot and drops the oldest. A snapshot with the time of the last one is ignored. */
export function addSnapshot(
  snapshots: readonly MetricSnapshot[],
  document: RuntimeDocument,
): readonly MetricSnapshot[] {
  const at = Date.parse(document.at);
  if (snapshots.at(-1)?.at === at) return snapshots;
  const values = new Map<string, number>();
  for (const { url, samples } of document.processes) {
    for (const sample of samples) values.set(metricId(url, sample), sample.value);
  }
  return [...snapshots, { at, values }].slice(-SNAPSHOTS_MAX);
}

/** Returns the rate of a counter per second between snapshots. A restarted process counts from zero. */
export function counterRates(snapshots: readonly MetricSnapshot[], id: string): readonly number[] {
  return snapshots.slice(1).flatMap((snapshot, index) => {
    const before = snapshots[index];
    const [old, value] = [before?.values.get(id), snapshot.values.get(id)];
    if (before === undefined || old === undefined || value === undefined || snapshot.at <= before.at) return [];
    return [Math.max(0, value < old ? value : value - old) / ((snapshot.at - before.at) / 1_000)];
  });
}

/** Returns the values of a gauge, oldest first. */
export function gaugeValues(snapshots: readonly MetricSnapshot[], id: string): readonly number[] {
  return snapshots.flatMap(({ values }) => values.get(id) ?? []);
}
