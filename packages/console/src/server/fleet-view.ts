import { isAbort } from "@levelset/core";
import type { Clock } from "@levelset/core";
import type { FleetClient, KindDescription } from "@levelset/fleet/client";
import type { FleetRow } from "../api/index.ts";
import { fleetRow } from "./fleet-row.ts";
import { LiveTable } from "./live-table.ts";
import type { ProblemBoard } from "./problem-board.ts";

/** How long to wait after a failure. */
const RETRY_MS = 2_000;
/** How often it is asked whether the fleet is still there. */
const PROBE_MS = 5_000;

/** What looking at a fleet takes. */
export interface FleetViewOptions {
  readonly client: FleetClient;
  readonly clock: Clock;
  readonly epoch: string;
  readonly board: ProblemBoard;
}

/** A fleet that is looked at: a row for every resource of every kind, live. */
export class FleetView {
  readonly client: FleetClient;
  readonly table: LiveTable<FleetRow>;
  readonly #options: FleetViewOptions;
  #kinds: readonly KindDescription[] = [];

  constructor(options: FleetViewOptions) {
    this.#options = options;
    this.client = options.client;
    this.table = new LiveTable(options.epoch);
  }

  /** The kinds of the fleet; none before it has answered. */
  get kinds(): readonly KindDescription[] {
    return this.#kinds;
  }

  /** Looks until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    await this.#untilItWorks("", signal, async () => {
      this.#kinds = await this.client.kinds({ signal });
    });
    await Promise.all([
      ...this.#kinds.map((kind) => this.#untilItWorks(kind.kind, signal, () => this.#follow(kind, signal))),
      this.#probe(signal),
    ]);
  }

  /** A watch that broke is opened again in silence: somebody must say that nothing is heard. */
  async #probe(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#options.clock.sleep(PROBE_MS, signal).catch(() => {}); // aborted: the loop ends
      await this.#untilItWorks("", signal, async () => {
        this.#kinds = await this.client.kinds({ signal });
      });
    }
  }

  async #untilItWorks(about: string, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
    const { board, clock } = this.#options;
    while (!signal.aborted) {
      try {
        await work();
        board.clear("fleet", about);
        return;
      } catch (error) {
        if (signal.aborted || isAbort(error)) return;
        board.fail("fleet", about, error);
      }
      await clock.sleep(RETRY_MS, signal).catch(() => {}); // aborted: the loop ends
    }
  }

  async #follow(kind: KindDescription, signal: AbortSignal): Promise<void> {
    const { board } = this.#options;
    // What has not been told since the place was lost is gone.
    let stale: Set<string> | undefined = this.#idsOf(kind);
    for await (const event of this.client.collection(kind).watch({ signal })) {
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
          board.clear("fleet", kind.kind);
          break;
      }
    }
  }

  #idsOf({ plural }: KindDescription): Set<string> {
    return new Set([...this.table.rows()].filter((row) => row.plural === plural).map(({ id }) => id));
  }
}
