import { kindId } from "@levelset/core";
import type { Kind, KubeObject, ObjectKey } from "@levelset/core";
import type { Cache, Following, ServedKind, WriteObserver } from "@levelset/operator";
import { ADAPTER_LABEL, adapterLabel, RESOURCE_ANNOTATION } from "../marks.ts";

/** Stands for the version of what we deleted. */
const GONE = "";

/** Watches the kinds of which an adapter has applied something, and tells for which resource of the fleet one has changed. */
export class Followers implements WriteObserver {
  readonly #cache: Cache;
  readonly #adapter: string;
  readonly #following = new Map<string, Following<ServedKind>>();
  readonly #listeners = new Set<(resourceId: string) => void>();
  /** The versions that our own writes made, by uid: they are no news. */
  readonly #written = new Map<string, string>();
  /** What the watch told while a write of ours was under way: it may be that very write. */
  readonly #held: { readonly object: KubeObject; readonly isRemoved: boolean }[] = [];
  #writing = 0;

  constructor(cache: Cache, adapter: string) {
    this.#cache = cache;
    this.#adapter = adapter;
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
      if (origin !== "initial") this.#hear(change.object, change.kind === "removed");
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
      if (this.#writing === 0) for (const { object, isRemoved } of this.#held.splice(0)) this.#tell(object, isRemoved);
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

  #hear(object: KubeObject, isRemoved: boolean): void {
    if (this.#writing > 0) this.#held.push({ object, isRemoved });
    else this.#tell(object, isRemoved);
  }

  #tell({ metadata }: KubeObject, isRemoved: boolean): void {
    const { uid, resourceVersion, annotations } = metadata;
    const isOurs = this.#written.get(uid) === (isRemoved ? GONE : resourceVersion);
    if (isRemoved) this.#written.delete(uid);
    if (isOurs) return;
    const resourceId = annotations?.[RESOURCE_ANNOTATION];
    if (resourceId !== undefined) this.notify(resourceId);
  }
}
