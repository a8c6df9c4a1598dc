import { BACKOFFS } from "@levelset/core/internal";
import type { Clock } from "@levelset/core";
import type { FleetClient, KindDescription } from "@levelset/fleet/client";
import type { FleetRow } from "../../api/index.ts";
import { fleetRow } from "./fleet-row.ts";
import { LiveTable } from "../topic/live-table.ts";
import type { ProblemList } from "./problem-list.ts";

/** Interval at which the kinds are read, to detect outages and new kinds. */
const PROBE_MS = 5_000;

/** Options of {@link FleetMonitor}. */
export interface FleetMonitorOptions {
  readonly client: FleetClient;
  readonly clock: Clock;
  readonly epoch: string;
  readonly problems: ProblemList;
}

/** Watches a fleet and maintains a live row for every resource. */
export class FleetMonitor {
  readonly client: FleetClient;
  readonly table: LiveTable<FleetRow>;
  readonly #options: FleetMonitorOptions;
  readonly #watched = new Map<string, WatchedKind>();
  #kinds: readonly KindDescription[] = [];

  constructor(options: FleetMonitorOptions) {
    this.#options = options;
    this.client = options.client;
    this.table = new LiveTable(options.epoch);
  }

  /** The kinds of the fleet; empty before the first response. */
  get kinds(): readonly KindDescription[] {
    return this.#kinds;
  }

  /** Runs until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { problems, clock } = this.#options;
    while (!signal.aborted) {
      let waitMs: number = PROBE_MS;
      try {
        this.#kinds = await this.client.kinds({ signal });
        await this.#watchAll();
        problems.clear("fleet", "");
      } catch (error) {
        if (signal.aborted) break;
        problems.report("fleet", "", error);
        // A watch reconnects with growing delays. A new watch starts at once when the fleet is reachable again.
        await this.#unwatch([...this.#watched.keys()]);
        waitMs = BACKOFFS.consoleFleet.firstMs;
      }
      await clock.sleep(waitMs, signal).catch(() => {}); // aborted: the loop ends
    }
    await this.#unwatch([...this.#watched.keys()]);
  }

  /** Watches the kinds that the fleet currently has. */
  async #watchAll(): Promise<void> {
    const desired = new Map(this.#kinds.map((kind) => [JSON.stringify(kind), kind]));
    await this.#unwatch([...this.#watched.keys()].filter((id) => !desired.has(id)));
    for (const [id, kind] of desired) if (!this.#watched.has(id)) this.#watched.set(id, this.#begin(kind));
    const plurals = new Set(this.#kinds.map(({ plural }) => plural));
    for (const { id, plural } of this.table.rows()) if (!plurals.has(plural)) this.table.remove(id);
    this.#openIfSettled();
  }

  #begin(kind: KindDescription): WatchedKind {
    const stop = new AbortController();
    const watched: WatchedKind = { kind, stop, isSettled: false, ended: Promise.resolve() };
    watched.ended = this.#watchUntilStopped(watched);
    return watched;
  }

  async #unwatch(ids: readonly string[]): Promise<void> {
    const ending = ids.flatMap((id) => this.#watched.get(id) ?? []);
    for (const id of ids) this.#watched.delete(id);
    for (const { kind, stop } of ending) {
      stop.abort();
      this.#options.problems.clear("fleet", kind.kind);
    }
    await Promise.all(ending.map(({ ended }) => ended));
  }

  async #watchUntilStopped(watched: WatchedKind): Promise<void> {
    const { problems, clock } = this.#options;
    const { kind, stop } = watched;
    while (!stop.signal.aborted) {
      try {
        await this.#watch(watched);
      } catch (error) {
        if (stop.signal.aborted) return;
        problems.report("fleet", kind.kind, error);
        watched.isSettled = true;
        this.#openIfSettled();
      }
      await clock.sleep(BACKOFFS.consoleFleet.firstMs, stop.signal).catch(() => {}); // aborted: the loop ends
    }
  }

  async #watch(watched: WatchedKind): Promise<void> {
    const { kind, stop } = watched;
    // Rows that are not reported until `synced` were deleted meanwhile.
    let stale: Set<string> | undefined = this.#idsOf(kind);
    for await (const event of this.client.collection(kind).watch({ signal: stop.signal })) {
      switch (event.kind) {
        case "present":
          stale?.delete(event.resource.id);
          this.table.put(fleetRow(event.resource, kind));
          break;
        case "gone":
          this.table.remove(event.resource.id);
          break;
        case "restarted":
          stale = this.#idsOf(kind);
          break;
        case "synced":
          for (const id of stale ?? []) this.table.remove(id);
          stale = undefined;
          this.#options.problems.clear("fleet", kind.kind);
          watched.isSettled = true;
          this.#openIfSettled();
          break;
      }
    }
  }

  /** Opens the list once every kind is listed or refused. */
  #openIfSettled(): void {
    if (this.#watched.values().every(({ isSettled }) => isSettled)) this.table.open();
  }

  #idsOf({ plural }: KindDescription): Set<string> {
    return new Set([...this.table.rows()].filter((row) => row.plural === plural).map(({ id }) => id));
  }
}

/** A watched kind. */
interface WatchedKind {
  readonly kind: KindDescription;
  readonly stop: AbortController;
  /** Whether the kind is listed or refused. */
  isSettled: boolean;
  ended: Promise<void>;
}
