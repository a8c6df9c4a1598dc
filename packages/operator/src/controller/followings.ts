import { formatKey, kindId } from "@levelset/core";
import type { AnyCustomKind, Clock, Kind, KubeObject, ObjectKey } from "@levelset/core";
import { noAnswer } from "../cache/index.ts";
import type { Collection, ObjectChange, WatchFailure } from "../cache/index.ts";
import type { Followed, FollowRule } from "../step/index.ts";

/** What followings need. */
export interface FollowingsOptions<K extends AnyCustomKind> {
  readonly clock: Clock;
  readonly open: (kind: Kind, labels: string) => Collection<Kind>;
  readonly onChange: (rule: FollowRule<K>, kind: Kind, change: ObjectChange<KubeObject>, isLive: boolean) => void;
  /** Whether a kind can be watched has changed since these objects of ours asked for it. */
  readonly onWatchChange: (owners: readonly string[], kind: Kind, failure: WatchFailure | undefined) => void;
}

/** How long a run waits for the first list of a kind. A kind whose list takes longer is not waited for again. */
const FIRST_LIST_MS = 5_000;

/** One kind that somebody follows under a rule. */
interface Following {
  readonly kind: Kind;
  readonly collection: Collection<Kind>;
  /** Which of our objects want it. */
  readonly wantedBy: Set<string>;
  /** Ends the waits for its first list. */
  readonly waits: Set<() => void>;
  /** Whether its list took longer than a run waits. */
  isSlow: boolean;
  /** The sort of failure that runs were last given, "" for none; undefined before the first run. */
  given: string | undefined;
}

/** What our objects follow because their specs tell: each kind once, for as long as one of them wants it. */
export class Followings<K extends AnyCustomKind> {
  readonly #options: FollowingsOptions<K>;
  readonly #rules = new Map<FollowRule<K>, Map<string, Following>>();

  constructor(options: FollowingsOptions<K>) {
    this.#options = options;
  }

  /**
   * Follows these kinds for an object, and those no more that only it wanted. Resolves once each of them is watched, or is known not
   * to be, or has not been listed within a few seconds: a worker never waits longer for a kind that cannot be listed.
   */
  async follow(owner: ObjectKey, rule: FollowRule<K>, kinds: readonly Kind[]): Promise<Followed> {
    const wanted = new Set(kinds.map(kindId));
    const followings = this.#rules.get(rule) ?? new Map<string, Following>();
    this.#rules.set(rule, followings);
    for (const kind of kinds) this.#want(followings, rule, kind, formatKey(owner));
    drop(followings, formatKey(owner), (id) => !wanted.has(id));
    const mine = [...followings].filter(([id]) => wanted.has(id)).map(([, following]) => following);
    await Promise.all(mine.map((following) => this.#settled(following)));
    for (const following of mine) following.given = failureOf(following)?.sort ?? "";
    const collectionOf = (kind: Kind): Collection<Kind> | undefined => {
      const following = followings.get(kindId(kind));
      const failure = following === undefined ? undefined : failureOf(following);
      if (failure !== undefined) throw new Error(failure.message);
      return following?.collection;
    };
    return {
      failure: (kind) => {
        const following = followings.get(kindId(kind));
        return following === undefined ? undefined : failureOf(following);
      },
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
      for (const following of followings.values()) close(following);
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
    const wantedBy = new Set([owner]);
    const following: Following = { kind, collection, wantedBy, waits: new Set(), isSlow: false, given: undefined };
    followings.set(kindId(kind), following);
    collection.subscribe((change, { origin }) => this.#options.onChange(rule, kind, change, origin === "live"));
    collection.subscribeHealth(() => this.#healthChange(following));
  }

  /** Resolves when it is known whether a kind can be watched, or when that takes too long. */
  async #settled(following: Following): Promise<void> {
    const { collection } = following;
    if (following.isSlow || collection.phase.kind !== "starting") return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = this.#options.clock.after(FIRST_LIST_MS, () => {
      following.isSlow = collection.phase.kind === "starting";
      resolve();
    });
    following.waits.add(resolve);
    await promise;
    following.waits.delete(resolve);
    timer.cancel();
  }

  #healthChange(following: Following): void {
    const { kind, collection, wantedBy } = following;
    if (collection.phase.kind === "starting") return;
    following.isSlow = false;
    for (const resolve of following.waits) resolve();
    const failure = failureOf(following);
    const sort = failure?.sort ?? "";
    if (following.given === undefined || following.given === sort) return;
    following.given = sort;
    this.#options.onWatchChange([...wantedBy], kind, failure);
  }
}

/** Why the copies of a kind cannot be read now; undefined when they can. */
function failureOf({ kind, collection }: Following): WatchFailure | undefined {
  const { phase } = collection;
  if (phase.kind === "watching") return undefined;
  return phase.kind === "failing" ? phase.failure : noAnswer(kind);
}

function drop(followings: Map<string, Following>, owner: string, isUnwanted: (id: string) => boolean): void {
  for (const [id, following] of followings) {
    const { wantedBy } = following;
    if (!isUnwanted(id) || !wantedBy.delete(owner) || wantedBy.size > 0) continue;
    close(following);
    followings.delete(id);
  }
}

function close({ collection, waits }: Following): void {
  collection.close();
  for (const resolve of waits) resolve();
}
