import {
  addFinalizerPatch,
  createMergePatch,
  finish,
  removeFinalizerPatch,
  StatusError,
  timestamp,
} from "@levelset/core";
import type {
  AnyCustomKind,
  Condition,
  JsonObject,
  JsonPatchOperation,
  ObjectKey,
  ObjectOf,
  RunOutcome,
} from "@levelset/core";
import type { Client } from "../client/index.ts";
import type { Plan } from "./plan.ts";
import type { Run } from "./run.ts";

/**
 * The writes of a run: at most one of metadata and one of status, each only if something changed and holding only what changed,
 * each refused by the server if our copy was old. Removal of our finalizer comes last, after status.
 */
export class Saver<K extends AnyCustomKind> {
  readonly #plan: Plan<K>;
  readonly #client: Client;
  readonly #key: ObjectKey;
  readonly #signal: AbortSignal;
  #object: ObjectOf<K>;
  #writes = 0;

  constructor(options: {
    readonly plan: Plan<K>;
    readonly client: Client;
    readonly key: ObjectKey;
    readonly object: ObjectOf<K>;
    readonly signal: AbortSignal;
  }) {
    this.#plan = options.plan;
    this.#client = options.client;
    this.#key = options.key;
    this.#object = options.object;
    this.#signal = options.signal;
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
    const { labels, annotations, finalizers } = this.#object.metadata;
    const obsolete = !this.#plan.finalizer.needed && finalizers?.includes(this.#plan.finalizer.name) === true;
    const before = { labels: labels ?? {}, annotations: annotations ?? {}, finalizers: finalizers ?? [] };
    const after = {
      ...run.metadata,
      finalizers: obsolete ? before.finalizers.filter((name) => name !== this.#plan.finalizer.name) : before.finalizers,
    };
    await this.#patch("metadata", createMergePatch(before, after));
  }

  /** Writes the new status, with the conditions and the generation that they speak of in the same write. */
  async saveStatus(run: Run<K>, outcome: RunOutcome, now: number): Promise<readonly Condition[]> {
    const { generation } = this.#object.metadata;
    const conditions = finish(run.findings, {
      previous: this.#object.status?.conditions,
      outcome,
      generation,
      now: timestamp(now),
    });
    const after = {
      ...run.status,
      ...(generation === undefined ? {} : { observedGeneration: generation }),
      conditions,
    };
    // Status and conditions are JSON by their declarations; interfaces only lack the index signature.
    const before = (this.#object.status ?? {}) as unknown as JsonObject;
    await this.#patch("status", createMergePatch(before, after as unknown as JsonObject));
    return conditions;
  }

  async #guarded(operations: readonly JsonPatchOperation[]): Promise<void> {
    if (operations.length === 0) return;
    try {
      await this.#write(() => this.#client.jsonPatch(this.#plan.kind, this.#key, operations, { signal: this.#signal }));
    } catch (error) {
      // The server calls a guard that does not hold Invalid; it means what Conflict means elsewhere: our copy was old.
      if (error instanceof StatusError && error.reason === "Invalid") {
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
    const options = part === "status" ? ({ subresource: "status" } as const) : {};
    await this.#write(() =>
      this.#client.mergePatch(this.#plan.kind, this.#key, patch, { ...options, signal: this.#signal }),
    );
  }

  async #write(write: () => Promise<ObjectOf<K>>): Promise<void> {
    this.#object = await write();
    this.#writes++;
  }
}
