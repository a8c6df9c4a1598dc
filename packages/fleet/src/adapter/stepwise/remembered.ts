import { deepEqual, isJsonObject } from "@levelset/core";
import type { JsonObject } from "@levelset/core";
import { parseTime, statusIn } from "../../resource/index.ts";
import type { FleetCollection, WireReport } from "../../client/index.ts";

/** What is known of an adapter's work on a resource: what it last reported, and what its steps remember. */
export interface KnownWork {
  readonly report: WireReport | undefined;
  readonly status: JsonObject | undefined;
}

const NOTHING: KnownWork = { report: undefined, status: undefined };

/** What an adapter has reported. Asked for once per resource: the API keeps it, also when the adapter is started anew. */
export class Remembered {
  readonly #adapter: string;
  readonly #resources: FleetCollection;
  readonly #known = new Map<string, KnownWork>();

  constructor(adapter: string, resources: FleetCollection) {
    this.#adapter = adapter;
    this.#resources = resources;
  }

  async of(id: string, signal: AbortSignal): Promise<KnownWork> {
    const known = this.#known.get(id) ?? (await this.#load(id, signal));
    this.#known.set(id, known);
    return known;
  }

  keep(id: string, report: WireReport): void {
    this.#known.set(id, { report, status: statusOf(report.data) });
  }

  /** Whether a report says what was last said, however much later, and what is to be remembered is what the API keeps. */
  isSame(id: string, { conditions, observed_generation: generation, data }: WireReport): boolean {
    const { report: last, status } = this.#known.get(id) ?? NOTHING;
    return (
      last?.observed_generation === generation &&
      deepEqual(last.conditions, conditions) &&
      deepEqual(status, statusOf(data))
    );
  }

  /** Whether the last report says that the work for a generation was started. */
  wasStarted(id: string, generation: number): boolean {
    const last = this.#known.get(id)?.report;
    return last?.observed_generation === generation && statusIn(last, "Applied") === "True";
  }

  /** What the steps remember of a resource, as far as it was reported. */
  statusOf(id: string): JsonObject | undefined {
    return this.#known.get(id)?.status;
  }

  /** A time for a report: now, but later than that of the last one, which could not be told from it otherwise. */
  nextTime(id: string, now: number): number {
    const last = parseTime(this.#known.get(id)?.report?.observed_time ?? "");
    return last === undefined ? now : Math.max(now, last + 1);
  }

  forget(id: string): void {
    this.#known.delete(id);
  }

  async #load(id: string, signal: AbortSignal): Promise<KnownWork> {
    for await (const found of this.#resources.statuses(id, { signal })) {
      if (found.adapter !== this.#adapter) continue;
      // What was said last: a verdict, or work under way since then. Kept conditions have times, which a report has not.
      const { observed_generation, conditions, data } = found.progress ?? found;
      const said = conditions.map(({ type, status, reason, message }) => ({
        type,
        status,
        ...(reason === undefined ? {} : { reason }),
        ...(message === undefined ? {} : { message }),
      }));
      const times = { observed_generation, observed_time: found.progress?.observed_time ?? found.last_report_time };
      return { report: { adapter: this.#adapter, ...times, conditions: said }, status: statusOf(data) };
    }
    return NOTHING;
  }
}

function statusOf(data: JsonObject | undefined): JsonObject | undefined {
  const status = data?.["status"];
  return isJsonObject(status) ? status : undefined;
}
