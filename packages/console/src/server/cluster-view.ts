import { CustomResourceDefinition, kindId, logTo, toError } from "@levelset/core";
import type { Clock, Fetch, Kind, Random } from "@levelset/core";
import { Cache, Client, conditionsOf, Discovery, refOf } from "@levelset/operator";
import type { Following, InformerHealth } from "@levelset/operator";
import { formatRef } from "../api/index.ts";
import type { ObjectRow } from "../api/index.ts";
import { ConditionHistory } from "./condition-history.ts";
import { kindOfController, kindOfCrd } from "./crd-kind.ts";
import { LiveTable } from "./live-table.ts";
import { objectRow } from "./object-row.ts";
import type { ProblemBoard } from "./problem-board.ts";
import type { Processes } from "./processes.ts";

/** How many kinds are followed: each is a watch, and copies of all its objects. */
const KINDS_MAX = 100;
/** How often it is seen whether what failed works again, and whether there are operators of kinds that nobody declared. */
const LOOK_AGAIN_MS = 1_000;

/** What looking at a cluster takes. */
export interface ClusterViewOptions {
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly random: Random;
  readonly epoch: string;
  readonly processes: Processes;
  readonly board: ProblemBoard;
}

/** A cluster that is looked at: a row for every object of every kind that somebody declared, live. */
export class ClusterView {
  readonly client: Client;
  readonly discovery: Discovery;
  readonly table: LiveTable<ObjectRow>;
  readonly history: ConditionHistory = new ConditionHistory();
  readonly #options: ClusterViewOptions;
  readonly #cache: Cache;
  readonly #followed = new Map<string, Following<Kind>>();
  /** The names of kinds whose watches failed last. */
  readonly #failing = new Set<string>();

  constructor(options: ClusterViewOptions) {
    const { fetch, clock, random, epoch, board } = options;
    this.#options = options;
    this.client = new Client({ fetch, fieldManager: "levelset-console" });
    this.discovery = new Discovery(this.client);
    this.table = new LiveTable(epoch);
    const logger = logTo(({ fields }) => {
      const { kind, error } = fields;
      if (typeof kind !== "string" || error === undefined) return;
      this.#failing.add(kind);
      board.fail("cluster", kind, toError(error));
    });
    this.#cache = new Cache({ fetch, clock, random, logger });
  }

  /** How the copies are doing. */
  get health(): readonly InformerHealth[] {
    return this.#cache.health;
  }

  /** Looks until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const declared = this.#cache.follow(CustomResourceDefinition);
    declared.subscribe(({ kind: change, object }) => {
      const kind = kindOfCrd(object);
      if (kind === undefined) return;
      if (change === "removed") this.#unfollow(kind);
      else this.#follow(kind);
    });
    while (!signal.aborted) {
      await this.#lookAgain(declared, signal);
      await this.#options.clock.sleep(LOOK_AGAIN_MS, signal).catch(() => {}); // aborted: the loop ends
    }
    await this.#cache.close();
  }

  async #lookAgain(declared: Following<typeof CustomResourceDefinition>, signal: AbortSignal): Promise<void> {
    for (const { kind, failures, isSynced } of this.health) {
      if (failures > 0 || !isSynced || !this.#failing.delete(kind)) continue;
      this.#options.board.clear("cluster", kind);
    }
    if (declared.health.isSynced) return;
    // Whoever may not read declarations sees the kinds that operators of this machine work on.
    const { told } = await this.#options.processes.runs(undefined, signal).catch(() => ({ told: [] }));
    for (const { controllers } of told) for (const each of controllers) this.#follow(kindOfController(each));
  }

  #follow(kind: Kind): void {
    const id = kindId(kind);
    const known = this.#followed.get(id);
    if (known?.kind.version === kind.version) return;
    if (known !== undefined) this.#unfollow(kind);
    if (this.#followed.size >= KINDS_MAX) {
      const message = `only ${KINDS_MAX} kinds are followed: objects of others, such as ${kind.kind}, are not in the lists`;
      this.#options.board.fail("console", "kinds", new Error(message));
      return;
    }
    const following = this.#cache.follow(kind);
    this.#followed.set(id, following);
    following.subscribe((change) => {
      const { object } = change;
      if (change.kind === "removed") {
        this.history.forget(object.metadata.uid);
        this.table.remove(formatRef(refOf(object)));
        return;
      }
      this.history.observe(object.metadata.uid, conditionsOf(object));
      this.table.put(objectRow(object, kind));
    });
  }

  #unfollow(kind: Kind): void {
    const id = kindId(kind);
    const following = this.#followed.get(id);
    if (following === undefined) return;
    for (const object of following.list()) this.table.remove(formatRef(refOf(object)));
    following.close();
    this.#followed.delete(id);
    this.#failing.delete(kind.kind);
    this.#options.board.clear("cluster", kind.kind);
  }
}
