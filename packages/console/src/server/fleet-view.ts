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
  readonly #followed = new Map<string, FollowedKind>();
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
    const { board, clock } = this.#options;
    while (!signal.aborted) {
      let waitMs = PROBE_MS;
      try {
        this.#kinds = await this.client.kinds({ signal });
        await this.#followAll();
        board.clear("fleet", "");
      } catch (error) {
        if (signal.aborted) break;
        board.fail("fleet", "", error);
        // A watch opens itself again in silence, and later each time: it begins anew when the fleet is there.
        await this.#unfollow([...this.#followed.keys()]);
        waitMs = RETRY_MS;
      }
      await clock.sleep(waitMs, signal).catch(() => {}); // aborted: the loop ends
    }
    await this.#unfollow([...this.#followed.keys()]);
  }

  /** Follows the kinds as they are described now. */
  async #followAll(): Promise<void> {
    const wanted = new Map(this.#kinds.map((kind) => [JSON.stringify(kind), kind]));
    await this.#unfollow([...this.#followed.keys()].filter((id) => !wanted.has(id)));
    for (const [id, kind] of wanted) if (!this.#followed.has(id)) this.#followed.set(id, this.#begin(kind));
    const plurals = new Set(this.#kinds.map(({ plural }) => plural));
    for (const { id, plural } of this.table.rows()) if (!plurals.has(plural)) this.table.remove(id);
    this.#openIfSettled();
  }

  #begin(kind: KindDescription): FollowedKind {
    const stop = new AbortController();
    const followed: FollowedKind = { kind, stop, isSettled: false, ended: Promise.resolve() };
    followed.ended = this.#follow(followed);
    return followed;
  }

  async #unfollow(ids: readonly string[]): Promise<void> {
    const ending = ids.flatMap((id) => this.#followed.get(id) ?? []);
    for (const id of ids) this.#followed.delete(id);
    for (const { kind, stop } of ending) {
      stop.abort();
      this.#options.board.clear("fleet", kind.kind);
    }
    await Promise.all(ending.map(({ ended }) => ended));
  }

  async #follow(followed: FollowedKind): Promise<void> {
    const { board, clock } = this.#options;
    const { kind, stop } = followed;
    while (!stop.signal.aborted) {
      try {
        await this.#watch(followed);
      } catch (error) {
        if (stop.signal.aborted) return;
        board.fail("fleet", kind.kind, error);
        followed.isSettled = true;
        this.#openIfSettled();
      }
      await clock.sleep(RETRY_MS, stop.signal).catch(() => {}); // aborted: the loop ends
    }
  }

  async #watch(followed: FollowedKind): Promise<void> {
    const { kind, stop } = followed;
    // What has not been told since the place was lost is gone.
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
          this.#options.board.clear("fleet", kind.kind);
          followed.isSettled = true;
          this.#openIfSettled();
          break;
      }
    }
  }

  /** Opens the list once every kind has been told, or was refused. */
  #openIfSettled(): void {
    if (this.#followed.values().every(({ isSettled }) => isSettled)) this.table.open();
  }

  #idsOf({ plural }: KindDescription): Set<string> {
    return new Set([...this.table.rows()].filter((row) => row.plural === plural).map(({ id }) => id));
  }
}

/** A kind that is followed. */
interface FollowedKind {
  readonly kind: KindDescription;
  readonly stop: AbortController;
  /** Whether all of it has been told, or was refused. */
  isSettled: boolean;
  ended: Promise<void>;
}
