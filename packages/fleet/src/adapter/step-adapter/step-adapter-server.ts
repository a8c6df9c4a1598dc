/**
 * Runs an adapter made of steps. A pulse stores the current resource in the virtual API and requests a run; its result
 * is reported. Runs without a pulse, triggered by a change of a child or by time, are reported only when the verdict
 * or the remembered status changes.
 */
import { applyDefaults, validate } from "@levelset/core/schema";
import { BACKOFFS, LinkedAbortController, storableText, toError, truncateText } from "@levelset/core/internal";
import { TransportError } from "@levelset/core";
import type { AnyCustomKind, Clock, Fetch, JsonObject, KubeObject, Logger, Random } from "@levelset/core";
import { RECONCILE_ANNOTATION } from "@levelset/operator/internal";
import type { RunReport } from "@levelset/operator";
import type { RunRecord, Step } from "@levelset/operator";
import { FleetApiError, isFleetApiError } from "../../client/index.ts";
import type { FleetClient, FleetCollection, WireReport, WireResource } from "../../client/index.ts";
import { isFresh, conditionStatusIn, timeText } from "../../resource/index.ts";
import { PhaseError } from "../run/index.ts";
import type { PulseHandler } from "../serve/index.ts";
import { conditionsOf } from "../situation/index.ts";
import type { StepAdapter } from "./adapter.ts";
import { ClusterReach } from "./cluster-reach.ts";
import { fleetObject } from "./fleet-object.ts";
import { ReportCache } from "./report-cache.ts";
import { Repeat } from "./repeat.ts";
import { CLUSTER_UNREACHABLE, unreachableCluster, reportFromRun } from "./run-report.ts";
import { VirtualApi } from "./virtual-api.ts";

/** Dependencies of {@link StepAdapterServer}. */
export interface StepAdapterServerOptions {
  readonly adapter: StepAdapter;
  readonly fleet: FleetClient;
  /** Sends requests to the cluster of the children. */
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

type Outcome = Awaited<ReturnType<PulseHandler>>;
type Ran = Extract<RunReport, { readonly kind: "ran" }>;

const DONE: Outcome = { status: "success", errors: [], isRetryable: false, skipReason: undefined };

const MESSAGE_MAX = 2_000;
/** How often a pulse that waits for its run checks whether the cluster is reachable. */
const UNREACHABLE_MS = 10_000;

/** A pulse that waits for its run. */
interface Waiting {
  /** Number of the run request made by the pulse. */
  readonly request: number;
  /** Whether a run that sees the resource of the pulse has started. */
  isSeen: boolean;
  readonly done: (record: RunRecord) => void;
}

/** Runs the steps of an adapter and sends the reports. */
export class StepAdapterServer {
  readonly #options: StepAdapterServerOptions;
  readonly #api: VirtualApi;
  readonly #reach: ClusterReach;
  readonly #resources: FleetCollection;
  readonly #remembered: ReportCache;
  readonly #finalizer: string;
  /** Names of steps that only read. */
  readonly #readers: ReadonlySet<string>;
  /** Waiting pulses by resource ID. */
  readonly #waiting = new Map<string, Waiting>();
  readonly #reporting = new Set<Promise<void>>();
  /** IDs of resources whose last report has the reason ClusterUnreachable. */
  readonly #unreachableIds = new Set<string>();
  #requests = 0;

  constructor(options: StepAdapterServerOptions) {
    this.#options = options;
    const { adapter, fleet, fetch, clock } = options;
    this.#reach = new ClusterReach(fetch, clock, () => this.#reached());
    this.#api = new VirtualApi(adapter.kind, this.#reach.fetch);
    this.#resources = fleet.collection(adapter.kind);
    this.#remembered = new ReportCache(adapter.name, this.#resources);
    const { finalizer, steps } = adapter.operator(() => {}).plan;
    this.#finalizer = finalizer.name;
    this.#readers = new Set(steps.filter(onlyReads).map(({ name }) => name));
  }

  /** Runs the controller until the signal aborts and all work has finished. */
  async run(signal: AbortSignal): Promise<void> {
    const { adapter, clock, random, logger } = this.#options;
    const operator = adapter.operator((record) => this.#ran(record));
    await Promise.all([
      operator.start({ fetch: this.#api.fetch, clock, random, logger, signal }),
      this.#recallAll(signal),
    ]);
    await Promise.all(this.#reporting);
  }

  /** Handles a pulse. */
  readonly handlePulse: PulseHandler = async ({ id }, signal) => {
    try {
      const { resource } = await this.#resources.get(id, { signal });
      const known = await this.#remembered.get(id, signal);
      if (this.#isFresh(resource, known.report))
        return { ...DONE, status: "skipped", skipReason: "the last verdict is fresh" };
      const problems = this.#problemsIn(resource);
      if (problems.length > 0) return await this.#rejectSpec(resource, problems, signal);
      const record = await this.#requestRun(resource, known.status, signal);
      if (record === "unreachable") return await this.#unreachable(resource, signal);
      return record.report.kind === "ran" ? await this.#answer(record, record.report, signal) : DONE;
    } catch (error) {
      return this.#failure(id, error);
    }
  };

  /**
   * Stores a resource in the virtual API and waits for the run that sees it. Resolves to "unreachable" while the
   * cluster cannot be reached.
   */
  async #requestRun(
    resource: WireResource,
    status: JsonObject | undefined,
    signal: AbortSignal,
  ): Promise<RunRecord | "unreachable"> {
    const { id } = resource;
    const { promise, resolve } = Promise.withResolvers<RunRecord | "unreachable">();
    using _ = new Repeat(this.#options.clock, UNREACHABLE_MS, () => {
      if (this.#reach.problem !== undefined) resolve("unreachable");
    });
    using stop = new LinkedAbortController([signal]);
    this.#waiting.set(id, { request: this.#requests + 1, isSeen: false, done: resolve });
    this.#put(resource, status);
    try {
      return await stop.race(promise);
    } finally {
      this.#waiting.delete(id);
    }
  }

  /** Stores a resource in the virtual API, which triggers a run. The status of an existing copy takes precedence. */
  #put(resource: WireResource, status: JsonObject | undefined): void {
    this.#requests += 1;
    const present = this.#api.get(resource.id);
    const isFinalized = present !== undefined && !hasFinalizer(present, this.#finalizer);
    const remembered = present === undefined ? status : statusOf(present);
    const state = {
      finalizer: this.#finalizer,
      isFinalized,
      status: remembered,
      reconcileRequest: String(this.#requests),
    };
    this.#api.put(fleetObject(this.#options.adapter.kind, resource, state));
  }

  /**
   * Loads all resources that this adapter has reported on when it starts: drift from the time it was down is fixed,
   * and a change of a child triggers a run without waiting for a pulse.
   */
  async #recallAll(signal: AbortSignal): Promise<void> {
    const { clock, logger } = this.#options;
    while (!signal.aborted) {
      try {
        for await (const resource of this.#resources.list({ signal })) await this.#recall(resource, signal);
        return;
      } catch (error) {
        if (signal.aborted) return;
        logger.warn("cannot load earlier reports", { err: toError(error).message });
        await clock.sleep(BACKOFFS.adapterRecall.firstMs, signal).catch(() => {}); // aborted: the loop ends
      }
    }
  }

  async #recall(resource: WireResource, signal: AbortSignal): Promise<void> {
    const { id } = resource;
    // A resource pulsed in the meantime is stored already, and newer.
    const isPulsed = (): boolean => this.#api.get(id) !== undefined || this.#waiting.has(id);
    if (isPulsed() || this.#problemsIn(resource).length > 0) return;
    try {
      const known = await this.#remembered.get(id, signal);
      // A resource without a report is pulsed soon.
      if (isPulsed() || known.report === undefined || this.#isFresh(resource, known.report)) return;
      this.#put(resource, known.status);
    } catch (error) {
      if (!isFleetApiError(error, "notFound")) throw error;
    }
  }

  /** Returns how a spec violates the adapter's declaration. Deletions are not validated. */
  #problemsIn({ spec, deleted_time: deleted }: WireResource): readonly string[] {
    if (deleted !== undefined) return [];
    const { schema } = this.#options.adapter.kind;
    const declared = schema.properties?.["spec"];
    if (declared === undefined) return [];
    return validate(declared, applyDefaults(declared, spec), "spec").map(
      ({ field, message }) => `${field}: ${message}`,
    );
  }

  /** Reports an invalid spec. The steps do not run. */
  async #rejectSpec(
    { id, generation }: WireResource,
    problems: readonly string[],
    signal: AbortSignal,
  ): Promise<Outcome> {
    const message = truncateText(storableText(problems.join("; ")), MESSAGE_MAX);
    const isStarted = this.#remembered.wasStarted(id, generation);
    const conditions = conditionsOf({ kind: "failed", reason: "InvalidSpec", message }, { isStarted });
    await this.#send(id, this.#reportOf(id, generation, conditions), signal);
    return { ...DONE, status: "failed", errors: [new PhaseError("params", "spec", message)] };
  }

  /** Reports that the cluster is unreachable. The requested run is reported once it has finished. */
  async #unreachable({ id, generation, deleted_time: deleted }: WireResource, signal: AbortSignal): Promise<Outcome> {
    const message = truncateText(storableText(this.#reach.problem ?? ""), MESSAGE_MAX);
    const isStarted = this.#remembered.wasStarted(id, generation);
    const state = { isStarted, ...(deleted === undefined ? {} : { deletion: { isFinalized: false } }) };
    await this.#send(id, this.#reportOf(id, generation, conditionsOf(unreachableCluster(message), state)), signal);
    return { ...DONE, status: "failed", errors: [new PhaseError("resources", "cluster", message)] };
  }

  /** Requests runs for resources whose state could not be determined while the cluster was unreachable. */
  #reached(): void {
    for (const id of this.#unreachableIds) {
      const object = this.#api.get(id);
      if (object === undefined || this.#waiting.has(id)) continue;
      this.#requests += 1;
      const annotations = { ...object.metadata.annotations, [RECONCILE_ANNOTATION]: String(this.#requests) };
      this.#api.put({ ...object, metadata: { ...object.metadata, annotations } });
    }
  }

  #ran(record: RunRecord): void {
    const waiting = this.#waiting.get(record.key.name);
    if (waiting !== undefined) waiting.isSeen ||= sees(record, waiting.request);
    // Another run with an up-to-date copy follows at once.
    if (record.report.kind === "again") return;
    if (waiting?.isSeen === true) waiting.done(record);
    else if (record.report.kind === "ran") this.#notifyLater(record, record.report);
  }

  #notifyLater(record: RunRecord, ran: Ran): void {
    const reported = this.#notify(record, ran);
    this.#reporting.add(reported);
    void reported.finally(() => this.#reporting.delete(reported));
  }

  /** Reports a run without a pulse if its report differs from the last one. */
  async #notify(record: RunRecord, ran: Ran): Promise<void> {
    const { name: id } = record.key;
    const report = this.#report(record, ran);
    if (this.#remembered.isUnchanged(id, report)) return;
    try {
      await this.#send(id, report, undefined);
    } catch (error) {
      if (isFleetApiError(error, "notFound")) return this.#forget(id);
      // The Sentinel pulses the resource again.
      this.#options.logger.warn("report not sent", { resource: id, err: toError(error).message });
    }
  }

  async #answer(record: RunRecord, ran: Ran, signal: AbortSignal): Promise<Outcome> {
    await this.#send(record.key.name, this.#report(record, ran), signal);
    const failures = ran.steps.filter(({ result }) => result.kind === "fail" || result.kind === "terminal");
    const errors = failures.map(({ step, result }) => {
      const message = result.kind === "fail" || result.kind === "terminal" ? result.error.message : "";
      return new PhaseError("resources", step, message);
    });
    return { ...DONE, status: errors.length === 0 ? "success" : "failed", errors };
  }

  #report({ key, generation = 1 }: RunRecord, ran: Ran): WireReport {
    const object = this.#api.get(key.name);
    const isDeleting = object?.metadata.deletionTimestamp !== undefined;
    const isFinalized = isDeleting && object !== undefined && !hasFinalizer(object, this.#finalizer);
    const wasStarted = this.#remembered.wasStarted(key.name, generation);
    const unreachable = this.#reach.problem;
    const state = { isDeleting, isFinalized, wasStarted, readers: this.#readers, unreachable };
    return this.#reportOf(key.name, generation, reportFromRun(ran, state));
  }

  /** Builds a report. Every report carries the remembered status: after a restart it is read back from the last one. */
  #reportOf(id: string, generation: number, conditions: WireReport["conditions"]): WireReport {
    const object = this.#api.get(id);
    const status = object === undefined ? this.#remembered.statusOf(id) : statusOf(object);
    return {
      adapter: this.#options.adapter.name,
      observed_generation: generation,
      observed_time: timeText(this.#remembered.nextTime(id, this.#options.clock.now())),
      conditions,
      ...(status === undefined ? {} : { data: { status } }),
    };
  }

  async #send(id: string, report: WireReport, signal: AbortSignal | undefined): Promise<void> {
    await this.#resources.report(id, report, { signal });
    this.#remembered.put(id, report);
    if (isUnreachable(report)) this.#unreachableIds.add(id);
    else this.#unreachableIds.delete(id);
    if (conditionStatusIn(report, "Finalized") === "True") this.#forget(id);
  }

  #failure(id: string, error: unknown): Outcome {
    if (isFleetApiError(error, "notFound")) {
      this.#forget(id);
      return { ...DONE, status: "skipped", skipReason: "the resource no longer exists" };
    }
    const isApi = error instanceof FleetApiError || error instanceof TransportError;
    if (!isApi) throw error;
    const isRetryable = error instanceof TransportError || error.kind === "busy" || error.kind === "failed";
    return {
      ...DONE,
      status: "failed",
      errors: [new PhaseError("post_actions", "report", error.message)],
      isRetryable,
    };
  }

  #forget(id: string): void {
    this.#api.remove(id);
    this.#unreachableIds.delete(id);
    this.#remembered.forget(id);
  }

  /** Returns whether the last verdict is True, of this generation and younger than the TTL. */
  #isFresh(resource: WireResource, last: WireReport | undefined): boolean {
    const { adapter, clock } = this.#options;
    const { ttlMs } = adapter.skipWhile ?? {};
    return ttlMs !== undefined && isFresh(last, { resource, ttlMs, now: clock.now() });
  }
}

/**
 * Returns whether a run started after the given request. A run in progress at that time started from the older
 * resource.
 */
function sees({ requested }: RunRecord, request: number): boolean {
  return requested !== undefined && Number(requested) >= request;
}

function hasFinalizer({ metadata }: KubeObject, finalizer: string): boolean {
  return metadata.finalizers?.includes(finalizer) === true;
}

function isUnreachable({ conditions }: WireReport): boolean {
  return conditions.some(({ type, reason }) => type === "Health" && reason === CLUSTER_UNREACHABLE);
}

/** Returns whether a step only reads and waits, as `input` and `dependency` do. */
function onlyReads({ reads = [], owns, protects, dynamicWatches, rbac, cleanup }: Step<AnyCustomKind>): boolean {
  return reads.length > 0 && [owns, protects, dynamicWatches, rbac, cleanup].every((part) => part === undefined);
}

/** Returns the status remembered by the steps. */
function statusOf(object: KubeObject): JsonObject | undefined {
  const { status } = object as { readonly status?: JsonObject };
  return status;
}
