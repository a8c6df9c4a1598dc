import { formatKey, kindId } from "@levelset/core";
import type { AnyCustomKind, Kind, KubeObject, ObjectKey } from "@levelset/core";
import type { Collection, ObjectChange } from "../cache/index.ts";
import type { Followed, FollowRule } from "../step/index.ts";

/** What followings need. */
export interface FollowingsOptions<K extends AnyCustomKind> {
  readonly open: (kind: Kind, labels: string) => Collection<Kind>;
  readonly onChange: (rule: FollowRule<K>, kind: Kind, change: ObjectChange<KubeObject>, isLive: boolean) => void;
}

/** One kind that somebody follows under a rule. */
interface Following {
  readonly collection: Collection<Kind>;
  /** Which of our objects want it. */
  readonly wantedBy: Set<string>;
}

/** What our objects follow because their specs tell: each kind once, for as long as one of them wants it. */
export class Followings<K extends AnyCustomKind> {
  readonly #options: FollowingsOptions<K>;
  readonly #rules = new Map<FollowRule<K>, Map<string, Following>>();

  constructor(options: FollowingsOptions<K>) {
    this.#options = options;
  }

  /** Follows these kinds for an object, and those no more that only it wanted. Resolves once all of it is here. */
  async follow(owner: ObjectKey, rule: FollowRule<K>, kinds: readonly Kind[]): Promise<Followed> {
    const wanted = new Set(kinds.map(kindId));
    const followings = this.#rules.get(rule) ?? new Map<string, Following>();
    this.#rules.set(rule, followings);
    for (const kind of kinds) this.#want(followings, rule, kind, formatKey(owner));
    drop(followings, formatKey(owner), (id) => !wanted.has(id));
    const mine = [...followings].filter(([id]) => wanted.has(id)).map(([, { collection }]) => collection.synced);
    await Promise.all(mine);
    const collectionOf = (kind: Kind): Collection<Kind> | undefined => followings.get(kindId(kind))?.collection;
    return {
      get: (kind, key) => collectionOf(kind)?.get(key),
      list: (kind) => collectionOf(kind)?.list() ?? [],
    };
  }

  /** An object of ours is gone, and wants nothing any more. */
  forget(owner: string): void {
    for (const followings of this.#rules.values()) drop(followings, owner, () => true);
  }

  /** Follows nothing any more. */
  close(): void {
    for (const followings of this.#rules.values()) {
      for (const { collection } of followings.values()) collection.close();
      followings.clear();
    }
  }

  #want(followings: Map<string, Following>, rule: FollowRule<K>, kind: Kind, owner: string): void {
    const present = followings.get(kindId(kind));
    if (present !== undefined) {
      present.wantedBy.add(owner);
      return;
    }
    const collection = this.#options.open(kind, rule.labels);
    followings.set(kindId(kind), { collection, wantedBy: new Set([owner]) });
    collection.subscribe((change, { origin }) => this.#options.onChange(rule, kind, change, origin === "live"));
  }
}

function drop(followings: Map<string, Following>, owner: string, isUnwanted: (id: string) => boolean): void {
  for (const [id, { collection, wantedBy }] of followings) {
    if (!isUnwanted(id) || !wantedBy.delete(owner) || wantedBy.size > 0) continue;
    collection.close();
    followings.delete(id);
  }
}
