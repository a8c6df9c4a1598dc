import { kindId } from "@levelset/core";
import type { Clock, JsonObject, Kind, KubeObject, ObjectKey } from "@levelset/core";
import type { Cache, Informer, ServedKind } from "@levelset/operator";
import type { WriteObserver } from "@levelset/operator/internal";
import { ADAPTER_LABEL, adapterLabel, RESOURCE_ANNOTATION } from "../owner-labels.ts";
import { isExpiredJob } from "./job-rerun.ts";

/** Stands for the resourceVersion of an object that we deleted. */
const GONE = "";

/** A change delivered by a watch. */
interface Observed {
  readonly kind: ServedKind;
  readonly object: KubeObject;
  readonly isRemoved: boolean;
}

/** Options of {@link ClusterWatches}. */
export interface ClusterWatchesOptions {
  readonly cache: Cache;
  readonly adapter: string;
  readonly clock: Clock;
  /** Called when the TTL of a finished Job removes it. The removal triggers no run and does not count as contention. */
  readonly onExpired: (resourceId: string, kind: Kind, job: KubeObject) => void;
}

/**
 * Watches the kinds that an adapter has applied, and notifies listeners of the fleet resources whose objects changed.
 */
export class ClusterWatches implements WriteObserver {
  readonly #cache: Cache;
  readonly #adapter: string;
  readonly #clock: Clock;
  readonly #onExpired: ClusterWatchesOptions["onExpired"];
  readonly #informers = new Map<string, Informer<ServedKind>>();
  readonly #listeners = new Set<(resourceId: string) => void>();
  /** resourceVersions of our own writes by UID; the watch events are ignored. */
  readonly #written = new Map<string, string>();
  /** Watch events received during one of our writes: they may be caused by it. */
  readonly #held: Observed[] = [];
  #writing = 0;

  constructor({ cache, adapter, clock, onExpired }: ClusterWatchesOptions) {
    this.#cache = cache;
    this.#adapter = adapter;
    this.#clock = clock;
    this.#onExpired = onExpired;
  }

  subscribe(changed: (resourceId: string) => void): () => void {
    this.#listeners.add(changed);
    return () => this.#listeners.delete(changed);
  }

  /** Starts watching a kind. Changes made by our own writes are not reported. */
  watch(kind: ServedKind): void {
    const id = `${kindId(kind)}/${kind.version}`;
    if (this.#informers.has(id) || !kind.verbs.includes("watch")) return;
    const informer = this.#cache.watch(kind, { labels: `${ADAPTER_LABEL}=${adapterLabel(this.#adapter)}` });
    this.#informers.set(id, informer);
    informer.subscribe((change, { origin }) => {
      if (origin === "initial") return;
      this.#observe({ kind, object: change.object, isRemoved: change.kind === "removed" });
    });
  }

  /** Requests a run for a fleet resource. */
  notify(resourceId: string): void {
    for (const listener of this.#listeners) listener(resourceId);
  }

  /** Runs a write. Watch events are held back until the written version is known. */
  async during<Out>(work: () => Promise<Out>): Promise<Out> {
    this.#writing += 1;
    try {
      return await work();
    } finally {
      this.#writing -= 1;
      if (this.#writing === 0) for (const observed of this.#held.splice(0)) this.#handle(observed);
    }
  }

  close(): void {
    for (const informer of this.#informers.values()) informer.close();
    this.#informers.clear();
    this.#written.clear();
    this.#held.length = 0;
  }

  onWrite(_kind: Kind, { metadata }: KubeObject): void {
    this.#written.set(metadata.uid, metadata.resourceVersion);
  }

  onDelete(_kind: Kind, _key: ObjectKey, uid: string): void {
    this.#written.set(uid, GONE);
  }

  onUnknownOutcome(): void {
    // The watch delivers the result.
  }

  #observe(observed: Observed): void {
    if (this.#writing > 0) this.#held.push(observed);
    else this.#handle(observed);
  }

  #handle({ kind, object, isRemoved }: Observed): void {
    const { uid, resourceVersion, annotations } = object.metadata;
    const isOurs = this.#written.get(uid) === (isRemoved ? GONE : resourceVersion);
    if (isRemoved) this.#written.delete(uid);
    const resourceId = annotations?.[RESOURCE_ANNOTATION];
    if (isOurs || resourceId === undefined) return;
    if (this.#isExpired(kind, object, isRemoved)) this.#onExpired(resourceId, kind, object);
    else this.notify(resourceId);
  }

  /**
   * The result of the Job was reported when it finished. The next pulse decides whether it is due again, not its
   * removal.
   */
  #isExpired({ group, kind }: ServedKind, object: KubeObject, isRemoved: boolean): boolean {
    const isDeleted = isRemoved || object.metadata.deletionTimestamp !== undefined;
    if (!isDeleted || group !== "batch" || kind !== "Job") return false;
    // An object of the cluster is JSON; interfaces only lack the index signature.
    return isExpiredJob(object as unknown as JsonObject, this.#clock.now());
  }
}
