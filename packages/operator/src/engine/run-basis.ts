import { deepEqual, isRemoteOwner } from "@levelset/core/internal";
import { hasFinalizer, isPaused } from "@levelset/core";
import type { AnyCustomKind, KubeObject, ObjectMeta, ObjectOf } from "@levelset/core";
import { changedPaths } from "../cache/index.ts";
import type { MetadataUse } from "./metadata-use.ts";

/** Metadata that the engine itself reads in every run. */
const ENGINE_USES: readonly (readonly [path: string, read: (object: KubeObject) => boolean])[] = [
  ["metadata.annotations", isPaused],
  ["metadata.annotations", isRemoteOwner],
];

/**
 * The inputs of a run: the UID of the object, its generation and spec, whether it is being deleted, the metadata that
 * the run used, and the status. The results of the run are valid for every version of the object in which all of these
 * are equal.
 */
export class RunBasis<K extends AnyCustomKind> {
  readonly #start: ObjectOf<K>;
  readonly #use: MetadataUse;
  readonly #finalizer: string;
  #metadata: ObjectMeta;
  #status: unknown;

  constructor(start: ObjectOf<K>, use: MetadataUse, finalizer: string) {
    this.#start = start;
    this.#use = use;
    this.#finalizer = finalizer;
    this.#metadata = start.metadata;
    this.#status = start.status;
  }

  /**
   * Records the metadata that the run itself wrote. Must be called after the last step, because steps read the first
   * version.
   */
  wroteMetadata({ metadata }: ObjectOf<K>): void {
    this.#metadata = metadata;
  }

  /** Records the status that the run itself wrote. */
  wroteStatus({ status }: ObjectOf<K>): void {
    this.#status = status;
  }

  /**
   * Returns the path of an input that differs in a version of the object, or undefined if the results are valid for it.
   */
  changeIn(version: ObjectOf<K>): string | undefined {
    const { metadata: start } = this.#start;
    const { metadata } = version;
    if (metadata.uid !== start.uid) return "metadata.uid";
    if (metadata.deletionTimestamp !== start.deletionTimestamp) return "metadata.deletionTimestamp";
    const spec = pathOf("spec", this.#start.spec, version.spec);
    if (spec !== undefined) return spec;
    if (metadata.generation !== start.generation) return "metadata.generation";
    const seen: KubeObject = { ...this.#start, metadata: this.#metadata };
    for (const [path, read] of ENGINE_USES) if (read(seen) !== read(version)) return path;
    if (hasFinalizer(seen, this.#finalizer) !== hasFinalizer(version, this.#finalizer)) return "metadata.finalizers";
    return this.#use.changeIn(this.#metadata, metadata) ?? pathOf("status", this.#status, version.status);
  }
}

/** Returns the first path at which two values differ. */
function pathOf(name: string, before: unknown, after: unknown): string | undefined {
  if (deepEqual(before, after)) return undefined;
  const [path = ""] = changedPaths(before, after);
  return name + path;
}
