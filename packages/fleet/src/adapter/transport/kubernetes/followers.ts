import { kindId } from "@levelset/core";
import type { Clock, JsonObject, Kind, KubeObject, ObjectKey } from "@levelset/core";
import type { Cache, Following, ServedKind, WriteObserver } from "@levelset/operator";
import { ADAPTER_LABEL, adapterLabel, RESOURCE_ANNOTATION } from "../marks.ts";
import { isExpiredJob } from "./job-rerun.ts";

/** Stands for the version of what we deleted. */
const GONE = "";

/** A change that a watch delivered. */
interface Observed {
  readonly kind: ServedKind;
  readonly object: KubeObject;
  readonly isRemoved: boolean;
}

/** What is needed to watch. */
export interface FollowersOptions {
  readonly cache: Cache;
  readonly adapter: string;
  readonly clock: Clock;
  /** Called when the TTL of a finished Job removes it: that Job asks for no run, and its removal is no contention. */
  readonly onExpired: (resourceId: string, kind: Kind, job: KubeObject) => void;
}

/** Watches the kinds of which an adapter has applied something, and tells for which resource of the fleet one has changed. */
export class Followers implements WriteObserver {
  readonly #cache: Cache;
  readonly #adapter: string;
  readonly #clock: Clock;
  readonly #onExpired: FollowersOptions["onExpired"];
  readonly #following = new Map<string, Following<ServedKind>>();
  readonly #listeners = new Set<(resourceId: string) => void>();
  /** The versions that our own writes made, by uid: they are no news. */
  readonly #written = new Map<string, string>();
  /** What the watch told while a write of ours was under way: it may be that very write. */
  readonly #held: Observed[] = [];
  #writing = 0;

  constructor({ cache, adapter, clock, onExpired }: FollowersOptions) {
    this.#cache = cache;
    this.#adapter = adapter;
    this.#clock = clock;
    this.#onExpired = onExpired;
  }

  listen(changed: (resourceId: string) => void): () => void {
    this.#listeners.add(changed);
    return () => this.#listeners.delete(changed);
  }

  /** From now on changes of this kind are told, except those that our own writes make. */
  follow(kind: ServedKind): void {
    const id = `${kindId(kind)}/${kind.version}`;
    if (this.#following.has(id) || !kind.verbs.includes("watch")) return;
    const following = this.#cache.follow(kind, { labels: `${ADAPTER_LABEL}=${adapterLabel(this.#adapter)}` });
    this.#following.set(id, following);
    following.subscribe((change, { origin }) => {
      if (origin === "initial") return;
      this.#observe({ kind, object: change.object, isRemoved: change.kind === "removed" });
    });
  }

  /** Asks for a run for a resource of the fleet. */
  notify(resourceId: string): void {
    for (const listener of this.#listeners) listener(resourceId);
  }

  /** Does something that writes: what the watch tells meanwhile waits until it is known what was written. */
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
    for (const following of this.#following.values()) following.close();
    this.#following.clear();
    this.#written.clear();
    this.#held.length = 0;
  }

  written(_kind: Kind, { metadata }: KubeObject): void {
    this.#written.set(metadata.uid, metadata.resourceVersion);
  }

  deleted(_kind: Kind, _key: ObjectKey, uid: string): void {
    this.#written.set(uid, GONE);
  }

  unknown(): void {
    // The watch will tell.
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

  /** Its result was reported when it finished. Whether it is due again is up to the next pulse, not to the time of its removal. */
  #isExpired({ group, kind }: ServedKind, object: KubeObject, isRemoved: boolean): boolean {
    const isGoing = isRemoved || object.metadata.deletionTimestamp !== undefined;
    if (!isGoing || group !== "batch" || kind !== "Job") return false;
    // An object of the cluster is JSON; interfaces only lack the index signature.
    return isExpiredJob(object as unknown as JsonObject, this.#clock.now());
  }
}
