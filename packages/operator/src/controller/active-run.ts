import type { Kind, KubeObject, ObjectKey } from "@levelset/core";
import type { WriteObserver } from "../client/index.ts";
import type { Wake } from "./sources.ts";
import { endId, versionId } from "./watch-rule.ts";

/**
 * A run in progress. The watch may tell of our own write before the server's answer to it has arrived, so wakes that come in
 * during a run are held until its end, when it is known which of them are ours.
 */
export class ActiveRun implements WriteObserver {
  readonly #held: Wake[] = [];
  readonly #ours = new Set<string>();
  readonly #written = new Map<string, string>();

  /** Keeps a wake until the end. */
  hold(wake: Wake): void {
    this.#held.push(wake);
  }

  /** The wakes that others caused. */
  get foreign(): readonly Wake[] {
    return this.#held.filter(({ cause }) => !this.#ours.has(cause));
  }

  /** The objects that were written, in words, but for one. */
  writtenBut(uid: string): readonly string[] {
    return [...this.#written].flatMap(([id, words]) => (id === uid ? [] : [words]));
  }

  written(kind: Kind, object: KubeObject): void {
    this.#written.set(object.metadata.uid, `${kind.singular}/${object.metadata.name}`);
    this.#ours.add(versionId(kind, object));
  }

  deleted(kind: Kind, _key: ObjectKey, uid: string): void {
    this.#ours.add(endId(kind, uid));
  }

  unknown(): void {
    // What became of it is told by the watch, like the work of anyone else.
  }
}
