import type { Kind, KubeObject, ObjectKey } from "@levelset/core";
import type { WriteObserver } from "../client/index.ts";
import type { EnqueueRequest } from "./event-router.ts";
import { deletionId, versionId } from "./watch-rule.ts";

/**
 * A run in progress. The watch may deliver our own write before the response to it arrives. Enqueue requests that
 * arrive during a run are therefore deferred until its end, when it is known which of them were caused by our own
 * writes.
 */
export class ActiveRun implements WriteObserver {
  readonly #held: EnqueueRequest[] = [];
  readonly #ours = new Set<string>();
  readonly #written = new Map<string, string>();

  /** Defers an enqueue request until the end of the run. */
  defer(request: EnqueueRequest): void {
    this.#held.push(request);
  }

  /** The deferred requests that were caused by other clients. */
  get foreignRequests(): readonly EnqueueRequest[] {
    return this.#held.filter(({ cause }) => !this.#ours.has(cause));
  }

  /** Returns the descriptions of the written objects, except the one with this UID. */
  writtenExcept(uid: string): readonly string[] {
    return [...this.#written].flatMap(([id, words]) => (id === uid ? [] : [words]));
  }

  onWrite(kind: Kind, object: KubeObject): void {
    this.#written.set(object.metadata.uid, `${kind.singular}/${object.metadata.name}`);
    this.#ours.add(versionId(kind, object));
  }

  onDelete(kind: Kind, _key: ObjectKey, uid: string): void {
    this.#ours.add(deletionId(kind, uid));
  }

  onUnknownOutcome(): void {
    // The watch delivers the outcome, as for a write of another client.
  }
}
