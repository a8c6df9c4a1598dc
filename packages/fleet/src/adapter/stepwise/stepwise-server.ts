/**
 * An adapter made of steps, at work. A pulse puts the resource as the API has it now before the controller and asks for a run; what came of the run is
 * reported. Runs that nobody pulsed for, because a child changed or time passed, are reported when they come to another verdict.
 */
import { applyDefaults, storableText, toError, TransportError, truncateText, validate } from "@levelset/core";
import type { AnyCustomKind, Clock, Fetch, JsonObject, KubeObject, Logger, Random } from "@levelset/core";
import { RECONCILE_ANNOTATION } from "@levelset/operator";
import type { RunRecord, RunReport, Step } from "@levelset/operator";
import { FleetProblem, isProblem } from "../../client/index.ts";
import type { FleetClient, FleetCollection, WireReport, WireResource } from "../../client/index.ts";
import { isFresh, statusIn, timeText } from "../../resource/index.ts";
import { PhaseError } from "../run/index.ts";
import type { Work } from "../serve/index.ts";
import { conditionsOf } from "../situation/index.ts";
import type { StepAdapter } from "./adapter.ts";
import { ClusterReach } from "./cluster-reach.ts";
import { fleetObject } from "./fleet-object.ts";
import { Remembered } from "./remembered.ts";
import { Repeat } from "./repeat.ts";
import { CLUSTER_UNREACHABLE, unreachableCluster, verdictOf } from "./verdict.ts";
import { VirtualApi } from "./virtual-api.ts";

/** What an adapter made of steps needs. */
export interface StepwiseOptions {
  readonly adapter: StepAdapter;
  readonly fleet: FleetClient;
  /** The cluster in which its children live. */
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

type Outcome = Awaited<ReturnType<Work>>;
type Ran = Extract<RunReport, { readonly kind: "ran" }>;

const DONE: Outcome = { status: "success", errors: [], isRetryable: false, skipReason: undefined };

/** How long until the API is asked again for what was reported on earlier. */
const RECALL_AGAIN_MS = 5_000;
const MESSAGE_MAX = 2_000;
/** How long a run is waited for before the reach of the cluster is asked about, and how often it is. */
const UNREACHABLE_MS = 10_000;

/** Who waits for a run. */
interface Waiting {
  /** The request for a run that the pulse made. */
  readonly ask: number;
  /** Whether a run has begun that sees what the pulse was about. */
  isSeen: boolean;
  readonly done: (record: RunRecord) => void;
}

/** Runs the steps of an adapter, and reports. */
export class StepwiseServer {
  readonly #options: StepwiseOptions;
  readonly #api: VirtualApi;
  readonly #reach: ClusterReach;
  readonly #resources: FleetCollection;
  readonly #remembered: Remembered;
  readonly #finalizer: string;
  /** Steps that only read. */
  readonly #readers: ReadonlySet<string>;
  /** Who waits for a run, by the id of the resource. */
  readonly #waiting = new Map<string, Waiting>();
  readonly #reporting = new Set<Promise<void>>();
  /** Resources whose last report says that the cluster is unreachable. */
  readonly #unjudged = new Set<string>();
  #asked = 0;

  constructor(options: StepwiseOptions) {
    this.#options = options;
    const { adapter, fleet, fetch, clock } = options;
    this.#reach = new ClusterReach(fetch, clock, () => this.#reached());
    this.#api = new VirtualApi(adapter.kind, this.#reach.fetch);
    this.#resources = fleet.collection(adapter.kind);
    this.#remembered = new Remembered(adapter.name, this.#resources);
    const { finalizer, steps } = adapter.operator(() => {}).plan;
    this.#finalizer = finalizer.name;
    this.#readers = new Set(steps.filter(onlyReads).map(({ name }) => name));
  }

  /** Runs the controller until the signal aborts and its work has ended. */
  async run(signal: AbortSignal): Promise<void> {
    const { adapter, clock, random, logger } = this.#options;
    const operator = adapter.operator((record) => this.#ran(record));
    await Promise.all([
      operator.start({ fetch: this.#api.fetch, clock, random, logger, signal }),
      this.#recallAll(signal),
    ]);
    await Promise.all(this.#reporting);
  }

  /** What is done for a pulse. */
  readonly work: Work = async ({ id }, signal) => {
    try {
      const { resource } = await this.#resources.get(id, { signal });
      const known = await this.#remembered.of(id, signal);
      if (this.#isFresh(resource, known.report))
        return { ...DONE, status: "skipped", skipReason: "the last verdict is fresh" };
      const problems = this.#problemsIn(resource);
      if (problems.length > 0) return await this.#refuse(resource, problems, signal);
      const record = await this.#ask(resource, known.status, signal);
      if (record === "unreachable") return await this.#unreachable(resource, signal);
      return record.report.kind === "ran" ? await this.#answer(record, record.report, signal) : DONE;
    } catch (error) {
      return this.#failure(id, error);
    }
  };

  /** Puts a resource before the controller and waits for the run that sees it. There is none while the cluster is unreachable from the start. */
  async #ask(
    resource: WireResource,
    status: JsonObject | undefined,
    signal: AbortSignal,
  ): Promise<RunRecord | "unreachable"> {
    const { id } = resource;
    const { promise, resolve, reject } = Promise.withResolvers<RunRecord | "unreachable">();
    using _ = new Repeat(this.#options.clock, UNREACHABLE_MS, () => {
      if (this.#reach.problem !== undefined) resolve("unreachable");
    });
    const abort = (): void => reject(toError(signal.reason));
    signal.addEventListener("abort", abort, { once: true });
    this.#waiting.set(id, { ask: this.#asked + 1, isSeen: false, done: resolve });
    this.#put(resource, status);
    try {
      return await promise;
    } finally {
      this.#waiting.delete(id);
      signal.removeEventListener("abort", abort);
    }
  }

  /** Puts a resource before the controller, which runs its steps. What they remember is in our copy, if there is one. */
  #put(resource: WireResource, status: JsonObject | undefined): void {
    this.#asked += 1;
    const present = this.#api.get(resource.id);
    const isFinalized = present !== undefined && !hasFinalizer(present, this.#finalizer);
    const kept = present === undefined ? status : statusOf(present);
    const state = { finalizer: this.#finalizer, isFinalized, status: kept, ask: String(this.#asked) };
    this.#api.put(fleetObject(this.#options.adapter.kind, resource, state));
  }

  /**
   * Puts all that this adapter ever reported on before the controller when it starts: what changed while it was away is put right, and a change of
   * a child wakes its resource from then on, without waiting for a pulse.
   */
  async #recallAll(signal: AbortSignal): Promise<void> {
    const { clock, logger } = this.#options;
    while (!signal.aborted) {
      try {
        for await (const resource of this.#resources.list({ signal })) await this.#recall(resource, signal);
        return;
      } catch (error) {
        if (signal.aborted) return;
        logger.warn("what was reported on earlier is not known yet", { message: toError(error).message });
        await clock.sleep(RECALL_AGAIN_MS, signal).catch(() => {}); // the loop ends
      }
    }
  }

  async #recall(resource: WireResource, signal: AbortSignal): Promise<void> {
    const { id } = resource;
    // One that was pulsed meanwhile is there, and newer.
    const isPulsed = (): boolean => this.#api.get(id) !== undefined || this.#waiting.has(id);
    if (isPulsed() || this.#problemsIn(resource).length > 0) return;
    try {
      const known = await this.#remembered.of(id, signal);
      // One that nobody has reported on is pulsed soon.
      if (isPulsed() || known.report === undefined || this.#isFresh(resource, known.report)) return;
      this.#put(resource, known.status);
    } catch (error) {
      if (!isProblem(error, "notFound")) throw error;
    }
  }

  /** What of a spec is not as the adapter declares it. What is to be removed is removed all the same. */
  #problemsIn({ spec, deleted_time: deleted }: WireResource): readonly string[] {
    if (deleted !== undefined) return [];
    const { schema } = this.#options.adapter.kind;
    const declared = schema.properties?.["spec"];
    if (declared === undefined) return [];
    return validate(declared, applyDefaults(declared, spec), "spec").map(
      ({ field, message }) => `${field}: ${message}`,
    );
  }

  /** Steps are never given a spec that their types deny. */
  async #refuse({ id, generation }: WireResource, problems: readonly string[], signal: AbortSignal): Promise<Outcome> {
    const message = truncateText(storableText(problems.join("; ")), MESSAGE_MAX);
    const isStarted = this.#remembered.wasStarted(id, generation);
    const conditions = conditionsOf({ kind: "failed", reason: "InvalidSpec", message }, { isStarted });
    await this.#send(id, this.#reportOf(id, generation, conditions), signal);
    return { ...DONE, status: "failed", errors: [new PhaseError("params", "spec", message)] };
  }

  /** Reports that the adapter cannot see its cluster. The run that was asked for is reported when it has happened. */
  async #unreachable({ id, generation, deleted_time: deleted }: WireResource, signal: AbortSignal): Promise<Outcome> {
    const message = truncateText(storableText(this.#reach.problem ?? ""), MESSAGE_MAX);
    const isStarted = this.#remembered.wasStarted(id, generation);
    const state = { isStarted, ...(deleted === undefined ? {} : { deletion: { isFinalized: false } }) };
    await this.#send(id, this.#reportOf(id, generation, conditionsOf(unreachableCluster(message), state)), signal);
    return { ...DONE, status: "failed", errors: [new PhaseError("resources", "cluster", message)] };
  }

  /** Runs the steps again for what could not be judged while the cluster was unreachable. */
  #reached(): void {
    for (const id of this.#unjudged) {
      const object = this.#api.get(id);
      if (object === undefined || this.#waiting.has(id)) continue;
      this.#asked += 1;
      const annotations = { ...object.metadata.annotations, [RECONCILE_ANNOTATION]: String(this.#asked) };
      this.#api.put({ ...object, metadata: { ...object.metadata, annotations } });
    }
  }

  #ran(record: RunRecord): void {
    const waiting = this.#waiting.get(record.key.name);
    if (waiting !== undefined) waiting.isSeen ||= sees(record, waiting.ask);
    // Another one follows at once, with a copy that is up to date.
    if (record.report.kind === "again") return;
    if (waiting?.isSeen === true) waiting.done(record);
    else if (record.report.kind === "ran") this.#tellLater(record, record.report);
  }

  #tellLater(record: RunRecord, ran: Ran): void {
    const told = this.#tell(record, ran);
    this.#reporting.add(told);
    void told.finally(() => this.#reporting.delete(told));
  }

  /** Reports a run that nobody pulsed for, if it says something new. */
  async #tell(record: RunRecord, ran: Ran): Promise<void> {
    const { name: id } = record.key;
    const report = this.#report(record, ran);
    if (this.#remembered.isSame(id, report)) return;
    try {
      await this.#send(id, report, undefined);
    } catch (error) {
      if (isProblem(error, "notFound")) return this.#forget(id);
      // The Sentinel asks again.
      this.#options.logger.warn("a report was not sent", { resource: id, message: toError(error).message });
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
    return this.#reportOf(key.name, generation, verdictOf(ran, state));
  }

  /** A report. What the steps remember is in every one: the last is where it is read back from after a restart. */
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
    this.#remembered.keep(id, report);
    if (isUnreachable(report)) this.#unjudged.add(id);
    else this.#unjudged.delete(id);
    if (statusIn(report, "Finalized") === "True") this.#forget(id);
  }

  #failure(id: string, error: unknown): Outcome {
    if (isProblem(error, "notFound")) {
      this.#forget(id);
      return { ...DONE, status: "skipped", skipReason: "the resource is not there any more" };
    }
    const isApi = error instanceof FleetProblem || error instanceof TransportError;
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
    this.#unjudged.delete(id);
    this.#remembered.forget(id);
  }

  /** A verdict of True at this generation that is young enough. */
  #isFresh(resource: WireResource, last: WireReport | undefined): boolean {
    const { adapter, clock } = this.#options;
    const { ttlMs } = adapter.skipWhile ?? {};
    return ttlMs !== undefined && isFresh(last, { resource, ttlMs, now: clock.now() });
  }
}

/** Whether a run started from the resource as a request put it there. One under way at that time started from what was there before. */
function sees({ requested }: RunRecord, ask: number): boolean {
  return requested !== undefined && Number(requested) >= ask;
}

function hasFinalizer({ metadata }: KubeObject, finalizer: string): boolean {
  return metadata.finalizers?.includes(finalizer) === true;
}

function isUnreachable({ conditions }: WireReport): boolean {
  return conditions.some(({ type, reason }) => type === "Health" && reason === CLUSTER_UNREACHABLE);
}

/** Whether a step makes nothing and only waits for what others make, as `input` and `dependency` do. */
function onlyReads({ reads = [], owns, protects, follows, rbac, cleanup }: Step<AnyCustomKind>): boolean {
  return reads.length > 0 && [owns, protects, follows, rbac, cleanup].every((part) => part === undefined);
}

/** What the steps remember. */
function statusOf(object: KubeObject): JsonObject | undefined {
  const { status } = object as { readonly status?: JsonObject };
  return status;
}
