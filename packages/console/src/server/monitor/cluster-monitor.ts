import { BACKOFFS } from "@levelset/core/internal";
import { CustomResourceDefinition, kindId, silentLogger, StatusError } from "@levelset/core";
import type { Clock, Fetch, Kind, Random } from "@levelset/core";
import { Cache, Client, Discovery } from "@levelset/operator";
import { conditionsOf, refOf } from "@levelset/operator/internal";
import type { Informer } from "@levelset/operator";
import type { InformerHealth } from "@levelset/operator/internal";
import { formatRef } from "../../api/index.ts";
import type { ObjectRow } from "../../api/index.ts";
import { ConditionHistory } from "./condition-history.ts";
import { kindOfController, kindOfCrd } from "./crd-kind.ts";
import { LiveTable } from "../topic/live-table.ts";
import { objectRow } from "./object-row.ts";
import type { ProblemList } from "./problem-list.ts";
import type { Processes } from "./processes.ts";

/** Maximum number of watched kinds. Each needs a watch and a cache of its objects. */
const KINDS_MAX = 100;
/** Interval at which problems are updated and, without permission to read CRDs, operators are queried for kinds. */
const POLL_MS = 1_000;

/** Options of {@link ClusterMonitor}. */
export interface ClusterMonitorOptions {
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly random: Random;
  readonly epoch: string;
  readonly processes: Processes;
  readonly problems: ProblemList;
}

/** Watches a cluster and maintains a live row for every custom resource. */
export class ClusterMonitor {
  readonly client: Client;
  readonly discovery: Discovery;
  readonly table: LiveTable<ObjectRow>;
  readonly history: ConditionHistory = new ConditionHistory();
  readonly #options: ClusterMonitorOptions;
  readonly #cache: Cache;
  readonly #declared: Informer<typeof CustomResourceDefinition>;
  /** By kind and version. */
  readonly #watched = new Map<string, Informer<Kind>>();
  #isDue = false;

  constructor(options: ClusterMonitorOptions) {
    const { fetch, clock, random, epoch } = options;
    this.#options = options;
    this.client = new Client({ fetch, fieldManager: "levelset-console" });
    this.discovery = new Discovery(this.client);
    this.table = new LiveTable(epoch);
    this.#cache = new Cache({ fetch, clock, random, logger: silentLogger, retryMaxMs: BACKOFFS.consoleWatch.maxMs });
    this.#declared = this.#cache.watch(CustomResourceDefinition);
  }

  /** Health of the informers. */
  get health(): readonly InformerHealth[] {
    return this.#cache.health;
  }

  /** Lists everything again, for example after the cluster was replaced. */
  refresh(): void {
    this.#cache.refresh();
  }

  /** Runs until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    this.#declared.subscribe(() => this.#readDeclared());
    void this.#declared.synced.then(() => this.#reportProblems());
    while (!signal.aborted) {
      if (!this.#declared.isSynced) await this.#readOperators(signal);
      this.#reportProblems();
      await clock.sleep(POLL_MS, signal).catch(() => {}); // aborted: the loop ends
    }
    await this.#cache.close();
  }

  /** Watches the declared kinds; debounces bursts of CRD changes. */
  #readDeclared(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    queueMicrotask(() => {
      this.#isDue = false;
      this.#watch(this.#declared.list().flatMap((crd) => kindOfCrd(crd) ?? []));
    });
  }

  /** Without permission to read CRDs, watches the kinds of operators on this machine. */
  async #readOperators(signal: AbortSignal): Promise<void> {
    const { responses } = await this.#options.processes.runs(undefined, signal).catch(() => ({ responses: [] }));
    if (this.#declared.isSynced) return;
    this.#watch(responses.flatMap(({ controllers }) => controllers.map(kindOfController)));
  }

  /** Reports problems, and opens the list once every kind is listed or refused. */
  #reportProblems(): void {
    const { problems } = this.#options;
    const all = [this.#declared, ...this.#watched.values()];
    for (const { kind, failure } of all) {
      if (failure === undefined) problems.clear("cluster", kindId(kind));
      else problems.report("cluster", kindId(kind), failure);
    }
    if (all.every(({ isSynced, failure }) => isSynced || failure instanceof StatusError)) this.table.open();
  }

  #watch(kinds: readonly Kind[]): void {
    const { problems } = this.#options;
    const desired = new Map(kinds.slice(0, KINDS_MAX).map((kind) => [`${kindId(kind)}/${kind.version}`, kind]));
    for (const [id, informer] of this.#watched) if (!desired.has(id)) this.#unwatch(id, informer);
    for (const [id, kind] of desired) if (!this.#watched.has(id)) this.#begin(id, kind);
    const [left] = kinds.slice(KINDS_MAX);
    if (left === undefined) return problems.clear("console", "kinds");
    const message = `only ${KINDS_MAX} kinds are watched: objects of other kinds, such as ${left.kind}, are not listed`;
    problems.report("console", "kinds", new Error(message));
  }

  #begin(id: string, kind: Kind): void {
    const informer = this.#cache.watch(kind);
    this.#watched.set(id, informer);
    void informer.synced.then(() => this.#reportProblems());
    informer.subscribe((change) => {
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

  #unwatch(id: string, informer: Informer<Kind>): void {
    for (const object of informer.list()) this.table.remove(formatRef(refOf(object)));
    informer.close();
    this.#watched.delete(id);
    this.#options.problems.clear("cluster", kindId(informer.kind));
  }
}
