import {
  addFinalizerPatch,
  createMergePatch,
  finish,
  isInvalid,
  keyOf,
  removeFinalizerPatch,
  StatusError,
  timestamp,
} from "@levelset/core";
import type {
  AnyCustomKind,
  Condition,
  Finding,
  JsonObject,
  JsonPatchOperation,
  ObjectKey,
  ObjectOf,
  RunOutcome,
} from "@levelset/core";
import { Budget } from "./budget.ts";
import type { Plan } from "./plan.ts";
import { fail, ok } from "./result.ts";
import type { AnyResult } from "./result.ts";
import type { Run } from "./run.ts";
import type { RunTools } from "./run-tools.ts";

/** What became of a status. */
export interface SavedStatus {
  readonly conditions: readonly Condition[];
  /** Not ok when the server refused what the steps put there: then only the conditions were written, and say so. */
  readonly problem: AnyResult;
}

/**
 * The writes of a run: at most one of metadata and one of status, each only if something changed and holding only what changed,
 * each refused by the server if our copy was old. Removal of our finalizer comes last, after status. A long run writes its
 * conditions early once more.
 */
export class Saver<K extends AnyCustomKind> {
  readonly #plan: Plan<K>;
  readonly #key: ObjectKey;
  readonly #tools: RunTools;
  #object: ObjectOf<K>;
  #early: Promise<unknown> | undefined;
  #writes = 0;

  constructor(plan: Plan<K>, object: ObjectOf<K>, tools: RunTools) {
    this.#plan = plan;
    this.#key = keyOf(object);
    this.#object = object;
    this.#tools = tools;
  }

  /** How many writes were made. */
  get writes(): number {
    return this.#writes;
  }

  /** Puts our finalizer on the object and writes nothing else. */
  async addFinalizer(): Promise<void> {
    await this.#guarded(addFinalizerPatch(this.#object, this.#plan.finalizer.name));
  }

  /** Takes our finalizer, and no other, off the object. */
  async removeFinalizer(): Promise<void> {
    await this.#guarded(removeFinalizerPatch(this.#object, this.#plan.finalizer.name));
  }

  /** Writes changed labels and annotations, and drops our finalizer if no step needs it any more. */
  async saveMetadata(run: Run<K>): Promise<void> {
    await this.#early;
    const { labels, annotations, finalizers } = this.#object.metadata;
    const obsolete = !this.#plan.finalizer.needed && finalizers?.includes(this.#plan.finalizer.name) === true;
    const before = { labels: labels ?? {}, annotations: annotations ?? {}, finalizers: finalizers ?? [] };
    const after = {
      ...run.metadata,
      finalizers: obsolete ? before.finalizers.filter((name) => name !== this.#plan.finalizer.name) : before.finalizers,
    };
    await this.#patch("metadata", createMergePatch(before, after));
  }

  /** Begins to write the conditions so far while the run goes on; later writes wait for it. */
  saveEarly(findings: readonly Finding[], outcome: RunOutcome): void {
    // The status of an earlier generation stays beside them: Ready says that it is none of this one. What keeps this write from
    // happening keeps the last one from happening too, and that one tells.
    this.#early = this.#saveConditions(findings, outcome).catch(() => undefined);
  }

  /** Writes the new status, with the conditions and the generation that they speak of in the same write. */
  async saveStatus(run: Run<K>, outcome: RunOutcome): Promise<SavedStatus> {
    await this.#early;
    const engine = this.#engineStatus(run.findings, outcome, run.asides);
    try {
      await this.#patchStatus({ ...run.status, ...engine });
      return { conditions: engine.conditions, problem: ok() };
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const problem = `the status was refused: ${error.message}`;
      const refused: Finding = {
        type: "Status",
        status: "False",
        severity: "Warning",
        reason: "Error",
        message: problem,
      };
      const incomplete: RunOutcome = outcome.kind === "deleting" ? outcome : { kind: "incomplete" };
      const conditions = await this.#saveConditions([...run.findings, refused], incomplete);
      return { conditions, problem: fail(problem) };
    }
  }

  async #saveConditions(findings: readonly Finding[], outcome: RunOutcome): Promise<readonly Condition[]> {
    const engine = this.#engineStatus(findings, outcome);
    await this.#patchStatus({ ...this.#object.status, ...engine });
    return engine.conditions;
  }

  /** What the engine itself keeps in a status. */
  #engineStatus(
    findings: readonly Finding[],
    outcome: RunOutcome,
    asides: readonly Finding[] = [],
  ): { readonly observedGeneration?: number; readonly conditions: readonly Condition[] } {
    const { generation } = this.#object.metadata;
    const previous = this.#object.status?.conditions;
    const now = timestamp(this.#tools.clock.now());
    const conditions = finish(findings, { previous, outcome, asides, generation, now });
    return generation === undefined ? { conditions } : { observedGeneration: generation, conditions };
  }

  async #patchStatus(after: object): Promise<void> {
    // Status and conditions are JSON by their declarations; interfaces only lack the index signature.
    const before = (this.#object.status ?? {}) as unknown as JsonObject;
    await this.#patch("status", createMergePatch(before, after as unknown as JsonObject));
  }

  async #guarded(operations: readonly JsonPatchOperation[]): Promise<void> {
    if (operations.length === 0) return;
    const { client } = this.#tools;
    try {
      await this.#write((signal) => client.jsonPatch(this.#plan.kind, this.#key, operations, { signal }));
    } catch (error) {
      // The server calls a guard that does not hold Invalid; it means what Conflict means elsewhere: our copy was old.
      if (isInvalid(error)) {
        throw new StatusError("Conflict", error.message, { cause: error });
      }
      throw error;
    }
  }

  async #patch(part: "metadata" | "status", change: JsonObject | undefined): Promise<void> {
    if (change === undefined) return;
    // The version makes the server refuse the write if anything happened since we read.
    const { resourceVersion } = this.#object.metadata;
    const patch =
      part === "metadata"
        ? { metadata: { ...change, resourceVersion } }
        : { metadata: { resourceVersion }, status: change };
    const { client } = this.#tools;
    const options = part === "status" ? ({ subresource: "status" } as const) : {};
    await this.#write((signal) => client.mergePatch(this.#plan.kind, this.#key, patch, { ...options, signal }));
  }

  async #write(write: (signal: AbortSignal) => Promise<ObjectOf<K>>): Promise<void> {
    this.#object = await Budget.give(this.#tools, (budget) => budget.within(write(budget.signal)));
    this.#writes++;
  }
}

/** Whether the server, or JSON itself, did not like what was to be written, so that the same will be refused again. */
function isRefusal(error: unknown): error is Error {
  return error instanceof TypeError || isInvalid(error);
}
