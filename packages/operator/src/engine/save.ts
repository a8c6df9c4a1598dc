import {
  addFinalizerPatch,
  computeConditions,
  formatTimestamp,
  isTooLarge,
  removeFinalizerPatch,
  truncateText,
} from "@levelset/core/internal";
import { createMergePatch } from "@levelset/core/apply";
import { isInvalid, objectKeyOf, StatusError } from "@levelset/core";
import type { AnyCustomKind, Condition, ConditionUpdate, JsonObject, ObjectKey, ObjectOf } from "@levelset/core";
import type { ReconcileOutcome } from "@levelset/core/internal";
import type { JsonPatchOperation } from "@levelset/core/apply";
import { GuardedWriter } from "./guarded-writer.ts";
import type { Write, WriteConflict } from "./guarded-writer.ts";
import type { MetadataUse } from "./metadata-use.ts";
import type { StepPlan } from "./step/step-plan.ts";
import { fail, ok } from "./step/result.ts";
import type { AnyResult } from "./step/result.ts";
import type { ReconcileRun } from "./reconcile-run.ts";
import { RunBasis } from "./run-basis.ts";
import type { RunDependencies } from "./run-dependencies.ts";
import { checkStatus } from "./status-check.ts";

/** The result of saving a status. */
export interface StatusSaveResult {
  readonly conditions: readonly Condition[];
  /**
   * Not ok if the status of the steps cannot be stored; then only the conditions are written, and they report it. Also
   * not ok if it has fields that the kind does not declare; they are not written.
   */
  readonly problem: AnyResult;
}

/** Status fields that the engine itself writes. */
interface EngineStatus {
  readonly observedGeneration?: number;
  readonly conditions: readonly Condition[];
}

/**
 * Saves the results of a run with at most one metadata patch and one status patch. Each contains only changed fields,
 * is omitted if there are none, and carries the resourceVersion, so that it conflicts with writes of other clients;
 * `GuardedWriter` retries it if the inputs of the run are unchanged. Our finalizer is removed last, after the status. A
 * long run writes its conditions early, too. All writes reject with a Conflict `StatusError` if the run must be
 * repeated, and with the error of the request otherwise.
 */
export class Saver<K extends AnyCustomKind> {
  readonly #plan: StepPlan<K>;
  readonly #key: ObjectKey;
  readonly #tools: RunDependencies;
  readonly #basis: RunBasis<K>;
  readonly #writer: GuardedWriter<K>;
  #early: Promise<unknown> | undefined;

  constructor(plan: StepPlan<K>, object: ObjectOf<K>, use: MetadataUse, tools: RunDependencies) {
    this.#plan = plan;
    this.#key = objectKeyOf(object);
    this.#tools = tools;
    this.#basis = new RunBasis(object, use, plan.finalizer.name);
    this.#writer = new GuardedWriter(plan.kind, object, this.#basis, tools);
  }

  /** The number of successful writes. */
  get writes(): number {
    return this.#writer.writes;
  }

  /** The conflicts with writes of other clients, in order. */
  get conflicts(): readonly WriteConflict[] {
    return this.#writer.conflicts;
  }

  /** Adds our finalizer to the object and writes nothing else. */
  async addFinalizer(): Promise<ObjectOf<K>> {
    await this.#writer.write((object) => this.#guarded(addFinalizerPatch(object, this.#plan.finalizer.name)));
    return this.#writer.object;
  }

  /** Removes our finalizer, and no other, from the object. */
  async removeFinalizer(): Promise<void> {
    await this.#writer.write((object) => this.#guarded(removeFinalizerPatch(object, this.#plan.finalizer.name)));
  }

  /** Writes changed labels and annotations, and removes our finalizer if no step needs it. */
  async saveMetadata(run: ReconcileRun<K>): Promise<void> {
    await this.#early;
    const { labels = {}, annotations = {} } = run.object.metadata;
    const changed = createMergePatch({ labels, annotations }, run.draft);
    await this.#writer.write((object) => {
      const metadata = { ...changed, ...this.#obsoleteFinalizer(object) };
      return Object.keys(metadata).length === 0 ? undefined : this.#patch(object, { metadata });
    });
    this.#basis.wroteMetadata(this.#writer.object);
  }

  /** Starts to write the conditions so far while the run continues; later writes wait for this one. */
  saveProgress(updates: readonly ConditionUpdate[], outcome: ReconcileOutcome): void {
    // The other status fields stay as they are; Ready states that they belong to an earlier generation. An error is
    // ignored here: it also fails the final write, which reports it.
    this.#early = this.saveConditions(updates, outcome).catch(() => undefined);
  }

  /** Writes the new status, its conditions and observedGeneration in one patch. */
  async saveStatus(run: ReconcileRun<K>, outcome: ReconcileOutcome): Promise<StatusSaveResult> {
    await this.#early;
    const { conditionUpdates: updates, informational } = run;
    const incomplete: ReconcileOutcome = outcome.kind === "deleting" ? outcome : { kind: "incomplete" };
    let problem: AnyResult = ok();
    const check = (object: ObjectOf<K>, status: EngineStatus): EngineStatus => {
      const found = checkStatus(this.#plan.kind, status);
      if (found.kind === "valid") return status;
      if (found.kind === "invalid") throw new TypeError(found.problem);
      problem = fail(found.problem);
      const reported = [...updates, statusCondition(found.problem)];
      // Fields that are derived from the conditions are computed again, and stay out if they are not declared.
      const { conditions, ...derived } = this.#engineStatus(object, reported, incomplete, informational);
      const allowed = Object.entries(derived).filter(([name]) => Object.hasOwn(found.declared, name));
      return { ...found.declared, ...Object.fromEntries(allowed), conditions };
    };
    const compute = (object: ObjectOf<K>): EngineStatus => ({
      ...run.status,
      ...this.#engineStatus(object, updates, outcome, informational),
    });
    try {
      const conditions = await this.#writeStatus(compute, check);
      return { conditions, problem };
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === undefined) throw error;
      const kept = isTooLarge(error) ? updates.map(shortened) : updates;
      const conditions = await this.saveConditions([...kept, statusCondition(refusal)], incomplete);
      return { conditions, problem: fail(refusal) };
    }
  }

  /** Writes the conditions and leaves the rest of the status unchanged. */
  saveConditions(updates: readonly ConditionUpdate[], outcome: ReconcileOutcome): Promise<readonly Condition[]> {
    return this.#writeStatus((object) => ({ ...object.status, ...this.#engineStatus(object, updates, outcome) }));
  }

  /** Computes the status fields that the engine itself writes. */
  #engineStatus(
    object: ObjectOf<K>,
    updates: readonly ConditionUpdate[],
    outcome: ReconcileOutcome,
    informational: readonly ConditionUpdate[] = [],
  ): EngineStatus {
    const { generation } = object.metadata;
    const previous = object.status?.conditions;
    const now = formatTimestamp(this.#tools.clock.now());
    const conditions = computeConditions(updates, {
      previous,
      outcome,
      informational,
      generation,
      now,
    });
    const derived: object = this.#plan.deriveStatus?.(conditions) ?? {};
    return {
      ...derived,
      ...(generation === undefined ? {} : { observedGeneration: generation }),
      conditions,
    };
  }

  /** `check` is called only for a status that differs from the stored one, and may replace it. */
  async #writeStatus(
    compute: (object: ObjectOf<K>) => EngineStatus,
    check: (object: ObjectOf<K>, status: EngineStatus) => EngineStatus = (_object, status) => status,
  ): Promise<readonly Condition[]> {
    let conditions: readonly Condition[] = [];
    await this.#writer.write((object) => {
      const computed = compute(object);
      const change = statusPatch(object, computed);
      const checked = change === undefined ? computed : check(object, computed);
      const status = checked === computed ? change : statusPatch(object, checked);
      ({ conditions } = checked);
      return status === undefined ? undefined : this.#patch(object, { status });
    });
    this.#basis.wroteStatus(this.#writer.object);
    return conditions;
  }

  /** Returns the patch that removes our finalizer from the list of this version, if no step needs it. */
  #obsoleteFinalizer({ metadata: { finalizers = [] } }: ObjectOf<K>): JsonObject {
    const { needed, name } = this.#plan.finalizer;
    if (needed || !finalizers.includes(name)) return {};
    return { finalizers: finalizers.filter((other) => other !== name) };
  }

  #guarded(operations: readonly JsonPatchOperation[]): Write<K> | undefined {
    if (operations.length === 0) return undefined;
    const { client } = this.#tools;
    return async (signal) => {
      try {
        return await client.jsonPatch(this.#plan.kind, this.#key, operations, { signal });
      } catch (error) {
        // A JSON patch whose `test` fails is rejected with Invalid; it means that our copy was stale, as Conflict does
        // elsewhere.
        if (isInvalid(error)) throw new StatusError("Conflict", error.message, { cause: error });
        throw error;
      }
    };
  }

  #patch(object: ObjectOf<K>, change: { readonly metadata: JsonObject } | { readonly status: JsonObject }): Write<K> {
    // With a resourceVersion the server rejects the patch with Conflict if the object changed since our read.
    const { resourceVersion } = object.metadata;
    const { client } = this.#tools;
    const isStatus = "status" in change;
    const metadata = isStatus ? { resourceVersion } : { ...change.metadata, resourceVersion };
    const options = isStatus ? ({ subresource: "status" } as const) : {};
    return (signal) => client.mergePatch(this.#plan.kind, this.#key, { ...change, metadata }, { ...options, signal });
  }
}

function statusPatch({ status = {} }: { readonly status?: object }, after: EngineStatus): JsonObject | undefined {
  // Status and conditions are JSON by their declarations; interfaces only lack the index signature.
  return createMergePatch(status as unknown as JsonObject, after as unknown as JsonObject);
}

/** Returns the condition that reports a status that is not stored as the steps wrote it. */
function statusCondition(message: string): ConditionUpdate {
  return { type: "Status", status: "False", severity: "Warning", reason: "Error", message };
}

/**
 * Returns why the content of a status cannot be stored, so that a retry of the same content would fail too; undefined
 * for other errors.
 */
function refusalOf(error: unknown): string | undefined {
  if (error instanceof TypeError) return `the status cannot be written: ${error.message}`;
  if (!(error instanceof StatusError)) return undefined;
  if (isTooLarge(error)) return `the status is too large, shorten its fields: ${error.message}`;
  return isInvalid(error) ? `the server rejected the status: ${error.message}` : undefined;
}

/** Length of the messages of conditions in UTF-16 code units after a status was too large. */
const SHORT_MESSAGE_MAX = 1_024;

function shortened(update: ConditionUpdate): ConditionUpdate {
  return { ...update, message: truncateText(update.message, SHORT_MESSAGE_MAX) };
}
