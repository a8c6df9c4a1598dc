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
import { GuardedWriter } from "./guarded-writer.ts";
import type { Write, WriteConflict } from "./guarded-writer.ts";
import type { MetadataUse } from "./metadata-use.ts";
import type { Plan } from "./plan.ts";
import { fail, ok } from "./result.ts";
import type { AnyResult } from "./result.ts";
import type { Run } from "./run.ts";
import { RunBasis } from "./run-basis.ts";
import type { RunTools } from "./run-tools.ts";

/** What became of a status. */
export interface SavedStatus {
  readonly conditions: readonly Condition[];
  /** Not ok when the server refused what the steps put there: then only the conditions were written, and say so. */
  readonly problem: AnyResult;
}

/** What the engine itself keeps in a status. */
interface EngineStatus {
  readonly observedGeneration?: number;
  readonly conditions: readonly Condition[];
}

/**
 * The writes of a run: at most one of metadata and one of status, each only if something changed and holding only what changed, each
 * refused by the server if another client wrote the object since. Then it is made again where everything that the run depends on is
 * unchanged; see `GuardedWriter`. Removal of our finalizer comes last, after status. A long run writes its conditions early once more.
 */
export class Saver<K extends AnyCustomKind> {
  readonly #plan: Plan<K>;
  readonly #key: ObjectKey;
  readonly #tools: RunTools;
  readonly #basis: RunBasis<K>;
  readonly #writer: GuardedWriter<K>;
  #early: Promise<unknown> | undefined;

  constructor(plan: Plan<K>, object: ObjectOf<K>, use: MetadataUse, tools: RunTools) {
    this.#plan = plan;
    this.#key = keyOf(object);
    this.#tools = tools;
    this.#basis = new RunBasis(object, use, plan.finalizer.name);
    this.#writer = new GuardedWriter(plan.kind, object, this.#basis, tools);
  }

  /** How many writes were made. */
  get writes(): number {
    return this.#writer.writes;
  }

  /** The writes that conflicted with those of other clients, in order. */
  get conflicts(): readonly WriteConflict[] {
    return this.#writer.conflicts;
  }

  /** Puts our finalizer on the object and writes nothing else. */
  async addFinalizer(): Promise<ObjectOf<K>> {
    await this.#writer.write((object) => this.#guarded(addFinalizerPatch(object, this.#plan.finalizer.name)));
    return this.#writer.object;
  }

  /** Takes our finalizer, and no other, off the object. */
  async removeFinalizer(): Promise<void> {
    await this.#writer.write((object) => this.#guarded(removeFinalizerPatch(object, this.#plan.finalizer.name)));
  }

  /** Writes changed labels and annotations, and drops our finalizer if no step needs it any more. */
  async saveMetadata(run: Run<K>): Promise<void> {
    await this.#early;
    const { labels = {}, annotations = {} } = run.object.metadata;
    const changed = createMergePatch({ labels, annotations }, run.draft);
    await this.#writer.write((object) => {
      const metadata = { ...changed, ...this.#obsoleteFinalizer(object) };
      return Object.keys(metadata).length === 0 ? undefined : this.#patch(object, { metadata });
    });
    this.#basis.wroteMetadata(this.#writer.object);
  }

  /** Begins to write the conditions so far while the run goes on; later writes wait for it. */
  saveEarly(findings: readonly Finding[], outcome: RunOutcome): void {
    // The status of an earlier generation stays beside them: Ready says that it is none of this one. What keeps this write from
    // happening keeps the last one from happening too, and that one tells.
    this.#early = this.saveConditions(findings, outcome).catch(() => undefined);
  }

  /** Writes the new status, with the conditions and the generation that they speak of in the same write. */
  async saveStatus(run: Run<K>, outcome: RunOutcome): Promise<SavedStatus> {
    await this.#early;
    try {
      const conditions = await this.#writeStatus((object) => ({
        ...run.status,
        ...this.#engineStatus(object, run.findings, outcome, run.asides),
      }));
      return { conditions, problem: ok() };
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
      const conditions = await this.saveConditions([...run.findings, refused], incomplete);
      return { conditions, problem: fail(problem) };
    }
  }

  /** Writes the conditions, and leaves the rest of the status as it is. */
  saveConditions(findings: readonly Finding[], outcome: RunOutcome): Promise<readonly Condition[]> {
    return this.#writeStatus((object) => ({ ...object.status, ...this.#engineStatus(object, findings, outcome) }));
  }

  /** What the engine itself keeps in a status. */
  #engineStatus(
    object: ObjectOf<K>,
    findings: readonly Finding[],
    outcome: RunOutcome,
    asides: readonly Finding[] = [],
  ): EngineStatus {
    const { generation } = object.metadata;
    const previous = object.status?.conditions;
    const now = timestamp(this.#tools.clock.now());
    const conditions = finish(findings, { previous, outcome, asides, generation, now });
    return generation === undefined ? { conditions } : { observedGeneration: generation, conditions };
  }

  async #writeStatus(compute: (object: ObjectOf<K>) => EngineStatus): Promise<readonly Condition[]> {
    let conditions: readonly Condition[] = [];
    await this.#writer.write((object) => {
      const after = compute(object);
      ({ conditions } = after);
      // Status and conditions are JSON by their declarations; interfaces only lack the index signature.
      const before = (object.status ?? {}) as unknown as JsonObject;
      const status = createMergePatch(before, after as unknown as JsonObject);
      return status === undefined ? undefined : this.#patch(object, { status });
    });
    this.#basis.wroteStatus(this.#writer.object);
    return conditions;
  }

  /** The change that drops our finalizer from the list of this version. */
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
        // The server calls a guard that does not hold Invalid; it means what Conflict means elsewhere: our copy was old.
        if (isInvalid(error)) throw new StatusError("Conflict", error.message, { cause: error });
        throw error;
      }
    };
  }

  #patch(object: ObjectOf<K>, change: { readonly metadata: JsonObject } | { readonly status: JsonObject }): Write<K> {
    // The version makes the server refuse the write if anything happened since we read.
    const { resourceVersion } = object.metadata;
    const { client } = this.#tools;
    const isStatus = "status" in change;
    const metadata = isStatus ? { resourceVersion } : { ...change.metadata, resourceVersion };
    const options = isStatus ? ({ subresource: "status" } as const) : {};
    return (signal) => client.mergePatch(this.#plan.kind, this.#key, { ...change, metadata }, { ...options, signal });
  }
}

/** Whether the server, or JSON itself, did not like what was to be written, so that the same will be refused again. */
function isRefusal(error: unknown): error is Error {
  return error instanceof TypeError || isInvalid(error);
}
