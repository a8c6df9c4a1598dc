import {
  deepEqual,
  formatKey,
  isJsonObject,
  keyOf,
  kindId,
  matchLabels,
  parseKey,
  SelectorError,
  unreachable,
} from "@levelset/core";
import type { AnyCustomKind, Clock, Kind, KubeObject, LabelSelector, ObjectKey, ObjectOf } from "@levelset/core";
import { Collection } from "../cache/index.ts";
import type { Cache, ChangeContext, CollectionOptions, ObjectChange, WatchFailure } from "../cache/index.ts";
import type { Priority, Trigger } from "../queue/index.ts";
import { labelSelectorOf } from "../step/index.ts";
import type { Followed, FollowRule, LabelQuery, Plan, Reader } from "../step/index.ts";
import { Followings } from "./followings.ts";
import { LABEL_INDEX, labelValues, lookedIn, wantedValues } from "./label-index.ts";
import { changeTriggers, relatedTrigger } from "./triggers.ts";
import { derivedRules, endId, OWNER_INDEX, ownerKey, ownerUid, referenceIndex, versionId } from "./watch-rule.ts";
import type { WatchRule } from "./watch-rule.ts";

/** That an object of ours should be looked at, and why. */
export interface Wake {
  readonly key: string;
  readonly triggers: readonly Trigger[];
  readonly priority: Priority;
  /** Names the write behind it, so that our own can be told from those of others. */
  readonly cause: string;
}

/** What sources need. */
export interface SourcesOptions<K extends AnyCustomKind> {
  readonly plan: Plan<K>;
  readonly cache: Cache;
  readonly clock: Clock;
  /** Beside those that follow from the steps. */
  readonly watches: readonly WatchRule<K>[];
  readonly namespaces: readonly string[] | undefined;
  readonly onWake: (wake: Wake) => void;
  /** An object of ours is gone. */
  readonly onGone: (key: string) => void;
  /** A function of the operator's author threw. Whatever it was asked about goes on without its answer. */
  readonly onDefect: (what: string, error: unknown) => void;
}

/**
 * Everything that an operator follows: its own objects, their children, what they name, and what it was told to watch. Knows which
 * of its objects a change is about, and answers reads of steps.
 */
export class Sources<K extends AnyCustomKind> implements Reader<K> {
  /** The objects of the operator's own kind. */
  readonly own: Collection<K>;
  readonly #options: SourcesOptions<K>;
  readonly #others = new Map<string, Collection<Kind>>();
  readonly #all: Collection<Kind>[] = [];
  readonly #followings: Followings<K>;

  constructor(options: SourcesOptions<K>) {
    this.#options = options;
    const { plan, watches } = options;
    this.own = this.#open(plan.kind, {});
    const rules = [...derivedRules(plan), ...watches];
    for (const [position, rule] of rules.entries()) this.#indexOwn(rule, position);
    this.#followings = new Followings<K>({
      clock: options.clock,
      // What one object of ours asks for must not hold up the others.
      open: (kind, labels) =>
        new Collection(options.cache, kind, { labels, namespaces: options.namespaces, isOptional: true }),
      onChange: (rule, kind, change, isLive) => this.#followedChange(rule, kind, change, isLive),
      onWatchChange: (owners, kind, failure) => this.#watchChange(owners, kind, failure),
    });
    this.own.subscribe((change, context) => this.#ownChange(change, context));
    for (const [position, rule] of rules.entries()) this.#follow(rule, position);
  }

  /** Resolves once all of it is here. */
  get synced(): Promise<unknown> {
    return Promise.all(this.#all.map(({ synced }) => synced));
  }

  get<Other extends Kind>(kind: Other, key: ObjectKey): ObjectOf<Other> | undefined {
    return this.#declared(kind).get(key);
  }

  owned<Other extends Kind>(kind: Other, owner: KubeObject): readonly ObjectOf<Other>[] {
    return this.#declared(kind).byIndex(OWNER_INDEX, owner.metadata.uid);
  }

  select<Other extends Kind>(
    kind: Other,
    namespace: string | undefined,
    labels: LabelQuery,
  ): readonly ObjectOf<Other>[] {
    const selector = labelSelectorOf(labels);
    return wantedValues(kind.scope === "Cluster" ? undefined : namespace, selector)
      .flatMap((value) => this.#declared(kind).byIndex(LABEL_INDEX, value))
      .filter(({ metadata }) => matchLabels(selector, metadata.labels));
  }

  follow(owner: ObjectKey, rule: FollowRule<K>, kinds: readonly Kind[]): Promise<Followed> {
    return this.#followings.follow(owner, rule, kinds);
  }

  /** Follows nothing any more. */
  close(): void {
    this.#followings.close();
    for (const collection of this.#all) collection.close();
  }

  #declared<Other extends Kind>(kind: Other): Collection<Other> {
    const collection = kindId(kind) === kindId(this.own.kind) ? this.own : this.#others.get(kindId(kind));
    if (collection === undefined) {
      throw new TypeError(`${kind.kind} is not among the kinds that the steps declare with owns or reads`);
    }
    // Found by the id of this very kind.
    return collection as unknown as Collection<Other>;
  }

  #open<Other extends Kind>(kind: Other, selection: Omit<CollectionOptions, "namespaces">): Collection<Other> {
    const collection = new Collection(this.#options.cache, kind, {
      ...selection,
      namespaces: this.#options.namespaces,
    });
    // Collections of all kinds are closed alike; none of them is read through this list.
    this.#all.push(collection as unknown as Collection<Kind>);
    return collection;
  }

  /** Lets those of our objects be found that depend on another. */
  #indexOwn(rule: WatchRule<K>, position: number): void {
    const name = referenceIndex(position);
    if (rule.via === "reference") {
      this.own.addIndex(name, (object) => this.#asked(rule, [], () => rule.keys(object).map(formatKey)));
    }
    if (rule.via === "labels") {
      this.own.addIndex(name, (object) => {
        const selector = this.#asked(rule, selectorOf(undefined), () => selectorOf(rule.wanted(object)));
        return wantedValues(lookedIn(object, rule.kind), selector);
      });
    }
  }

  /** What a function of the operator's author says. One that throws must not keep the changes of other objects from being told. */
  #asked<T>({ via, kind }: { readonly via: string; readonly kind: Kind }, otherwise: T, ask: () => T): T {
    try {
      return ask();
    } catch (error) {
      this.#options.onDefect(`${via} of ${kind.kind}`, error);
      return otherwise;
    }
  }

  #follow(rule: WatchRule<K>, position: number): void {
    const { kind, labels } = rule;
    const collection = this.#open(kind, labels === undefined ? {} : { labels });
    if (rule.via === "owner") collection.addIndex(OWNER_INDEX, ownerUid);
    if (rule.via === "labels") collection.addIndex(LABEL_INDEX, labelValues);
    // A narrower copy must not answer for the whole kind.
    if (labels === undefined && (rule.via === "owner" || !this.#others.has(kindId(kind)))) {
      this.#others.set(kindId(kind), collection);
    }
    collection.subscribe((change, context) => {
      if (!this.#asked(rule, true, () => isOfInterest(rule, change))) return;
      const keys = this.#asked(rule, [], () => this.#keysFor(rule, position, change));
      this.#wakeAll(keys, kind, change, { via: rule.via, isLive: context.origin === "live" });
    });
  }

  #followedChange(rule: FollowRule<K>, kind: Kind, change: ObjectChange<KubeObject>, isLive: boolean): void {
    if (!isOfInterest({ via: "mapping", kind, map: rule.map }, change)) return;
    const via = "followed";
    const keys = this.#asked({ via, kind }, [], () =>
      versionsOf(change).flatMap((version) => rule.map(version, this.own.list())),
    );
    this.#wakeAll(keys, kind, change, { via, isLive });
  }

  #watchChange(owners: readonly string[], kind: Kind, failure: WatchFailure | undefined): void {
    const triggers: readonly Trigger[] = [{ kind: "watch", of: kind.kind, isWatched: failure === undefined }];
    for (const key of owners) {
      if (this.own.get(parseKey(key)) === undefined) continue;
      this.#options.onWake({ key, triggers, priority: "high", cause: `watch ${kindId(kind)}` });
    }
  }

  #wakeAll(
    keys: readonly ObjectKey[],
    kind: Kind,
    change: ObjectChange<KubeObject>,
    how: { readonly via: string; readonly isLive: boolean },
  ): void {
    const triggers = [relatedTrigger(kind, change, how.via)];
    const priority = how.isLive ? "high" : "low";
    const cause = causeOf(kind, change);
    // Each once: the first wake may start a run at once, and the second would ask for another.
    for (const key of new Set(keys.map(formatKey))) {
      if (this.own.get(parseKey(key)) !== undefined) this.#options.onWake({ key, triggers, priority, cause });
    }
  }

  #keysFor(rule: WatchRule<K>, position: number, change: ObjectChange<KubeObject>): readonly ObjectKey[] {
    const versions = versionsOf(change);
    switch (rule.via) {
      case "owner":
        // Both versions: a child may change hands.
        return versions.flatMap((version) => ownerKey(this.own.kind, version) ?? []);
      case "reference":
        return this.own
          .byIndex(referenceIndex(position), formatKey(keyOf(change.object)))
          .map((object) => keyOf(object));
      case "labels":
        // Both versions: it may have been among those that are looked for, or come to be.
        return versions.flatMap((version) => this.#lookingFor(rule.wanted, position, version));
      case "mapping":
        return versions.flatMap((version) => rule.map(version, this.own.list()));
      default:
        return unreachable(rule);
    }
  }

  #lookingFor(
    wanted: (object: ObjectOf<K>) => LabelQuery | undefined,
    position: number,
    found: KubeObject,
  ): readonly ObjectKey[] {
    return labelValues(found)
      .flatMap((value) => this.own.byIndex(referenceIndex(position), value))
      .filter((object) => matchLabels(selectorOf(wanted(object)), found.metadata.labels))
      .map((object) => keyOf(object));
  }

  #ownChange(change: ObjectChange<ObjectOf<K>>, context: ChangeContext): void {
    const key = formatKey(keyOf(change.object));
    const triggers = changeTriggers(change, context);
    if (triggers.length === 0) {
      this.#followings.forget(key);
      return this.#options.onGone(key);
    }
    const priority = context.origin === "live" ? "high" : "low";
    this.#options.onWake({ key, triggers, priority, cause: causeOf(this.own.kind, change) });
  }
}

/** What an object selects. An invalid selector selects nothing here; the step that uses it reports it. */
function selectorOf(query: LabelQuery | undefined): LabelSelector {
  try {
    return labelSelectorOf(query);
  } catch (error) {
    if (error instanceof SelectorError) return labelSelectorOf(undefined);
    throw error;
  }
}

/** What an object was and is, as far as it is known. */
function versionsOf(change: ObjectChange<KubeObject>): readonly KubeObject[] {
  return change.kind === "updated" ? [change.previous, change.object] : [change.object];
}

function isOfInterest<K extends AnyCustomKind>(rule: WatchRule<K>, change: ObjectChange<KubeObject>): boolean {
  if (change.kind !== "updated") return true;
  const project = rule.project ?? content;
  return !deepEqual(project(change.previous), project(change.object));
}

/** An object without what changes with every write. */
function content(object: KubeObject): unknown {
  const { resourceVersion: _version, managedFields: _managers, ...metadata } = object.metadata;
  return isJsonObject(object) ? { ...object, metadata } : object;
}

function causeOf(kind: Kind, change: ObjectChange<KubeObject>): string {
  return change.kind === "removed" ? endId(kind, change.object.metadata.uid) : versionId(kind, change.object);
}
