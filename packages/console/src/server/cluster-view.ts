import { CustomResourceDefinition, kindId, silentLogger, StatusError } from "@levelset/core";
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
/** How long to wait at most before a watch that failed is tried again: somebody sits in front of it. */
const RETRY_MAX_MS = 5_000;

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
  readonly #declared: Following<typeof CustomResourceDefinition>;
  /** By kind and version. */
  readonly #followed = new Map<string, Following<Kind>>();
  #isDue = false;

  constructor(options: ClusterViewOptions) {
    const { fetch, clock, random, epoch } = options;
    this.#options = options;
    this.client = new Client({ fetch, fieldManager: "levelset-console" });
    this.discovery = new Discovery(this.client);
    this.table = new LiveTable(epoch);
    this.#cache = new Cache({ fetch, clock, random, logger: silentLogger, retryMaxMs: RETRY_MAX_MS });
    this.#declared = this.#cache.follow(CustomResourceDefinition);
  }

  /** How the copies are doing. */
  get health(): readonly InformerHealth[] {
    return this.#cache.health;
  }

  /** Reads everything again: it may be another cluster by now. */
  refresh(): void {
    this.#cache.refresh();
  }

  /** Looks until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    this.#declared.subscribe(() => this.#readDeclared());
    void this.#declared.synced.then(() => this.#tellProblems());
    while (!signal.aborted) {
      if (!this.#declared.health.isSynced) await this.#readOperators(signal);
      this.#tellProblems();
      await clock.sleep(LOOK_AGAIN_MS, signal).catch(() => {}); // aborted: the loop ends
    }
    await this.#cache.close();
  }

  /** Follows what is declared, once after however many declarations came together. */
  #readDeclared(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    queueMicrotask(() => {
      this.#isDue = false;
      this.#follow(this.#declared.list().flatMap((crd) => kindOfCrd(crd) ?? []));
    });
  }

  /** Whoever may not read declarations sees the kinds that operators of this machine work on. */
  async #readOperators(signal: AbortSignal): Promise<void> {
    const { told } = await this.#options.processes.runs(undefined, signal).catch(() => ({ told: [] }));
    if (this.#declared.health.isSynced) return;
    this.#follow(told.flatMap(({ controllers }) => controllers.map(kindOfController)));
  }

  /** Says what cannot be looked at; opens the list once everything has been, or was refused. */
  #tellProblems(): void {
    const { board } = this.#options;
    const all = [this.#declared, ...this.#followed.values()];
    for (const { kind, health } of all) {
      if (health.failure === undefined) board.clear("cluster", kindId(kind));
      else board.fail("cluster", kindId(kind), health.failure);
    }
    if (all.every(({ health }) => health.isSynced || health.failure instanceof StatusError)) this.table.open();
  }

  #follow(kinds: readonly Kind[]): void {
    const { board } = this.#options;
    const wanted = new Map(kinds.slice(0, KINDS_MAX).map((kind) => [`${kindId(kind)}/${kind.version}`, kind]));
    for (const [id, following] of this.#followed) if (!wanted.has(id)) this.#unfollow(id, following);
    for (const [id, kind] of wanted) if (!this.#followed.has(id)) this.#begin(id, kind);
    const [left] = kinds.slice(KINDS_MAX);
    if (left === undefined) return board.clear("console", "kinds");
    const message = `only ${KINDS_MAX} kinds are followed: objects of others, such as ${left.kind}, are not in the lists`;
    board.fail("console", "kinds", new Error(message));
  }

  #begin(id: string, kind: Kind): void {
    const following = this.#cache.follow(kind);
    this.#followed.set(id, following);
    void following.synced.then(() => this.#tellProblems());
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

  #unfollow(id: string, following: Following<Kind>): void {
    for (const object of following.list()) this.table.remove(formatRef(refOf(object)));
    following.close();
    this.#followed.delete(id);
    this.#options.board.clear("cluster", kindId(following.kind));
  }
}
