import { deepEqual } from "@levelset/core/internal";
import { isJsonObject } from "@levelset/core";
import type { JsonObject } from "@levelset/core";
import { parseTime, conditionStatusIn } from "../../resource/index.ts";
import type { FleetCollection, WireReport } from "../../client/index.ts";

/** Last report of an adapter on a resource, and the status remembered by its steps. */
export interface CachedReport {
  readonly report: WireReport | undefined;
  readonly status: JsonObject | undefined;
}

const NO_REPORT: CachedReport = { report: undefined, status: undefined };

/** Cache of an adapter's reports. Read from the API once per resource, so it survives restarts of the adapter. */
export class ReportCache {
  readonly #adapter: string;
  readonly #resources: FleetCollection;
  readonly #known = new Map<string, CachedReport>();

  constructor(adapter: string, resources: FleetCollection) {
    this.#adapter = adapter;
    this.#resources = resources;
  }

  async get(id: string, signal: AbortSignal): Promise<CachedReport> {
    const known = this.#known.get(id) ?? (await this.#load(id, signal));
    this.#known.set(id, known);
    return known;
  }

  put(id: string, report: WireReport): void {
    this.#known.set(id, { report, status: statusOf(report.data) });
  }

  /** Returns whether a report repeats the last one, ignoring time, and the remembered status equals the stored one. */
  isUnchanged(id: string, { conditions, observed_generation: generation, data }: WireReport): boolean {
    const { report: last, status } = this.#known.get(id) ?? NO_REPORT;
    return (
      last?.observed_generation === generation &&
      deepEqual(last.conditions, conditions) &&
      deepEqual(status, statusOf(data))
    );
  }

  /** Returns whether the last report shows that work for a generation was started. */
  wasStarted(id: string, generation: number): boolean {
    const last = this.#known.get(id)?.report;
    return last?.observed_generation === generation && conditionStatusIn(last, "Applied") === "True";
  }

  /** Returns the status remembered by the steps, as last reported. */
  statusOf(id: string): JsonObject | undefined {
    return this.#known.get(id)?.status;
  }

  /** Returns a time for a report: now, but later than that of the last report, so that the two are distinguishable. */
  nextTime(id: string, now: number): number {
    const last = parseTime(this.#known.get(id)?.report?.observed_time ?? "");
    return last === undefined ? now : Math.max(now, last + 1);
  }

  forget(id: string): void {
    this.#known.delete(id);
  }

  async #load(id: string, signal: AbortSignal): Promise<CachedReport> {
    for await (const found of this.#resources.statuses(id, { signal })) {
      if (found.adapter !== this.#adapter) continue;
      // The last report: a verdict, or later work in progress. Stored conditions have times, reported ones do not.
      const { observed_generation, conditions, data } = found.progress ?? found;
      const content = conditions.map(({ type, status, reason, message }) => ({
        type,
        status,
        ...(reason === undefined ? {} : { reason }),
        ...(message === undefined ? {} : { message }),
      }));
      const times = { observed_generation, observed_time: found.progress?.observed_time ?? found.last_report_time };
      return { report: { adapter: this.#adapter, ...times, conditions: content }, status: statusOf(data) };
    }
    return NO_REPORT;
  }
}

function statusOf(data: JsonObject | undefined): JsonObject | undefined {
  const status = data?.["status"];
  return isJsonObject(status) ? status : undefined;
}
