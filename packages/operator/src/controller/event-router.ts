import {
  deepEqual,
  formatKey,
  isJsonObject,
  objectKeyOf,
  kindId,
  matchesLabelSelector,
  parseKey,
  SelectorError,
  unreachable,
} from "@levelset/core";
import type { AnyCustomKind, Clock, Kind, KubeObject, LabelSelector, ObjectKey, ObjectOf } from "@levelset/core";
import { MultiNamespaceInformer } from "../cache/index.ts";
import type {
  Cache,
  ChangeContext,
  MultiNamespaceInformerOptions,
  ObjectChange,
  WatchFailure,
} from "../cache/index.ts";
import type { Priority, Trigger } from "../queue/index.ts";
import { labelSelectorOf } from "../engine/index.ts";
import type { WatchedObjects, DynamicWatch, LabelQuery, StepPlan, CacheReader } from "../engine/index.ts";
import { DynamicWatches } from "./dynamic-watches.ts";
import { LABEL_INDEX, labelIndexValues, lookupNamespace, wantedValues } from "./label-index.ts";
import { changeTriggers, relatedTrigger } from "./triggers.ts";
import { derivedRules, deletionId, OWNER_INDEX, ownerKey, ownerUid, referenceIndex, versionId } from "./watch-rule.ts";
import type { WatchRule } from "./watch-rule.ts";

/** A request to reconcile an object, and its triggers. */
export interface EnqueueRequest {
  readonly key: string;
  readonly triggers: readonly Trigger[];
  readonly priority: Priority;
  /** Identifies the write that caused it, so that our own writes can be ignored. */
  readonly cause: string;
}

/** Options of {@link EventRouter}. */
export interface EventRouterOptions<K extends AnyCustomKind> {
  readonly plan: StepPlan<K>;
  readonly cache: Cache;
  readonly clock: Clock;
  /** Watches in addition to those derived from the steps. */
  readonly watches: readonly WatchRule<K>[];
  readonly namespaces: readonly string[] | undefined;
  readonly onEnqueue: (request: EnqueueRequest) => void;
  /** Called when an object of the operator's kind is deleted. */
  readonly onDeleted: (key: string) => void;
  /** Called when a callback of the operator throws. Processing continues without its result. */
  readonly onDefect: (what: string, error: unknown) => void;
}

/**
 * Runs all watches of an operator: its own objects, their children, referenced objects and custom watches. Maps each
 * change to the objects to enqueue, and serves the cache reads of steps.
 */
export class EventRouter<K extends AnyCustomKind> implements CacheReader<K> {
  /** The objects of the operator's own kind. */
  readonly own: MultiNamespaceInformer<K>;
  readonly #options: EventRouterOptions<K>;
  readonly #others = new Map<string, MultiNamespaceInformer<Kind>>();
  readonly #all: MultiNamespaceInformer<Kind>[] = [];
  readonly #dynamicWatches: DynamicWatches<K>;

  constructor(options: EventRouterOptions<K>) {
    this.#options = options;
    const { plan, watches } = options;
    this.own = this.#open(plan.kind, {});
    const rules = [...derivedRules(plan), ...watches];
    for (const [position, rule] of rules.entries()) this.#indexOwn(rule, position);
    this.#dynamicWatches = new DynamicWatches<K>({
      clock: options.clock,
      // A watch that one object requests must not block the others.
      open: (kind, labels) =>
        new MultiNamespaceInformer(options.cache, kind, { labels, namespaces: options.namespaces, isOptional: true }),
      onChange: (rule, kind, change, isLive) => this.#watchedChange(rule, kind, change, isLive),
      onWatchChange: (owners, kind, failure) => this.#watchChange(owners, kind, failure),
    });
    this.own.subscribe((change, context) => this.#ownChange(change, context));
    for (const [position, rule] of rules.entries()) this.#watch(rule, position);
  }

  /** Resolves once all watched kinds have been listed. */
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
      .filter(({ metadata }) => matchesLabelSelector(selector, metadata.labels));
  }

  watch(owner: ObjectKey, rule: DynamicWatch<K>, kinds: readonly Kind[]): Promise<WatchedObjects> {
    return this.#dynamicWatches.watch(owner, rule, kinds);
  }

  /** Stops all watches. */
  close(): void {
    this.#dynamicWatches.close();
    for (const collection of this.#all) collection.close();
  }

  #declared<Other extends Kind>(kind: Other): MultiNamespaceInformer<Other> {
    const collection = kindId(kind) === kindId(this.own.kind) ? this.own : this.#others.get(kindId(kind));
    if (collection === undefined) {
      throw new TypeError(`${kind.kind} is not declared by any step under owns or reads`);
    }
    // The map stores each informer under the id of its kind.
    return collection as unknown as MultiNamespaceInformer<Other>;
  }

  #open<Other extends Kind>(
    kind: Other,
    selection: Omit<MultiNamespaceInformerOptions, "namespaces">,
  ): MultiNamespaceInformer<Other> {
    const collection = new MultiNamespaceInformer(this.#options.cache, kind, {
      ...selection,
      namespaces: this.#options.namespaces,
    });
    // This list serves only to close the informers, so their types do not matter.
    this.#all.push(collection as unknown as MultiNamespaceInformer<Kind>);
    return collection;
  }

  /** Indexes our objects by the objects that they depend on. */
  #indexOwn(rule: WatchRule<K>, position: number): void {
    const name = referenceIndex(position);
    if (rule.via === "reference") {
      this.own.addIndex(name, (object) => this.#callSafely(rule, [], () => rule.keys(object).map(formatKey)));
    }
    if (rule.via === "labels") {
      this.own.addIndex(name, (object) => {
        const selector = this.#callSafely(rule, selectorOf(undefined), () => selectorOf(rule.wanted(object)));
        return wantedValues(lookupNamespace(object, rule.kind), selector);
      });
    }
  }

  /** Calls a callback of the operator; an error is reported and must not block changes of other objects. */
  #callSafely<T>({ via, kind }: { readonly via: string; readonly kind: Kind }, fallback: T, callback: () => T): T {
    try {
      return callback();
    } catch (error) {
      this.#options.onDefect(`${via} of ${kind.kind}`, error);
      return fallback;
    }
  }

  #watch(rule: WatchRule<K>, position: number): void {
    const { kind, labelSelector } = rule;
    const collection = this.#open(kind, labelSelector === undefined ? {} : { labels: labelSelector });
    if (rule.via === "owner") collection.addIndex(OWNER_INDEX, ownerUid);
    if (rule.via === "labels") collection.addIndex(LABEL_INDEX, labelIndexValues);
    // An informer with a label selector must not serve reads of the whole kind.
    if (labelSelector === undefined && (rule.via === "owner" || !this.#others.has(kindId(kind)))) {
      this.#others.set(kindId(kind), collection);
    }
    collection.subscribe((change, context) => {
      if (!this.#callSafely(rule, true, () => isOfInterest(rule, change))) return;
      const keys = this.#callSafely(rule, [], () => this.#keysFor(rule, position, change));
      this.#notifyAll(keys, kind, change, { via: rule.via, isLive: context.origin === "live" });
    });
  }

  #watchedChange(rule: DynamicWatch<K>, kind: Kind, change: ObjectChange<KubeObject>, isLive: boolean): void {
    if (!isOfInterest({ via: "mapping", kind, map: rule.map }, change)) return;
    const via = "watch";
    const keys = this.#callSafely({ via, kind }, [], () =>
      versionsOf(change).flatMap((version) => rule.map(version, this.own.list())),
    );
    this.#notifyAll(keys, kind, change, { via, isLive });
  }

  #watchChange(owners: readonly string[], kind: Kind, failure: WatchFailure | undefined): void {
    const triggers: readonly Trigger[] = [{ kind: "watch", of: kind.kind, isWatched: failure === undefined }];
    for (const key of owners) {
      if (this.own.get(parseKey(key)) === undefined) continue;
      this.#options.onEnqueue({ key, triggers, priority: "high", cause: `watch ${kindId(kind)}` });
    }
  }

  #notifyAll(
    keys: readonly ObjectKey[],
    kind: Kind,
    change: ObjectChange<KubeObject>,
    how: { readonly via: string; readonly isLive: boolean },
  ): void {
    const triggers = [relatedTrigger(kind, change, how.via)];
    const priority = how.isLive ? "high" : "low";
    const cause = causeOf(kind, change);
    // Enqueue each key once: the first request may start a run at once, and a second would cause another run.
    for (const key of new Set(keys.map(formatKey))) {
      if (this.own.get(parseKey(key)) !== undefined) this.#options.onEnqueue({ key, triggers, priority, cause });
    }
  }

  #keysFor(rule: WatchRule<K>, position: number, change: ObjectChange<KubeObject>): readonly ObjectKey[] {
    const versions = versionsOf(change);
    switch (rule.via) {
      case "owner":
        // Both versions: the owner of a child may change.
        return versions.flatMap((version) => ownerKey(this.own.kind, version) ?? []);
      case "reference":
        return this.own
          .byIndex(referenceIndex(position), formatKey(objectKeyOf(change.object)))
          .map((object) => objectKeyOf(object));
      case "labels":
        // Both versions: the object may start or stop matching.
        return versions.flatMap((version) => this.#lookingFor(rule.wanted, position, version));
      case "mapping":
        return versions.flatMap((version) => rule.map(version, this.own.list()));
      default:
        return unreachable(rule);
    }
  }

  #lookingFor(
    desired: (object: ObjectOf<K>) => LabelQuery | undefined,
    position: number,
    found: KubeObject,
  ): readonly ObjectKey[] {
    return labelIndexValues(found)
      .flatMap((value) => this.own.byIndex(referenceIndex(position), value))
      .filter((object) => matchesLabelSelector(selectorOf(desired(object)), found.metadata.labels))
      .map((object) => objectKeyOf(object));
  }

  #ownChange(change: ObjectChange<ObjectOf<K>>, context: ChangeContext): void {
    const key = formatKey(objectKeyOf(change.object));
    const triggers = changeTriggers(change, context);
    if (triggers.length === 0) {
      this.#dynamicWatches.forget(key);
      return this.#options.onDeleted(key);
    }
    const priority = context.origin === "live" ? "high" : "low";
    this.#options.onEnqueue({ key, triggers, priority, cause: causeOf(this.own.kind, change) });
  }
}

/** Converts a query to a selector. An invalid one selects no objects here; the step that uses it reports the error. */
function selectorOf(query: LabelQuery | undefined): LabelSelector {
  try {
    return labelSelectorOf(query);
  } catch (error) {
    if (error instanceof SelectorError) return labelSelectorOf(undefined);
    throw error;
  }
}

/** Returns the known versions of an object before and after a change. */
function versionsOf(change: ObjectChange<KubeObject>): readonly KubeObject[] {
  return change.kind === "updated" ? [change.previous, change.object] : [change.object];
}

function isOfInterest<K extends AnyCustomKind>(rule: WatchRule<K>, change: ObjectChange<KubeObject>): boolean {
  if (change.kind !== "updated") return true;
  const project = rule.project ?? content;
  return !deepEqual(project(change.previous), project(change.object));
}

/** Returns an object without the fields that change with every write. */
function content(object: KubeObject): unknown {
  const { resourceVersion: _version, managedFields: _managers, ...metadata } = object.metadata;
  return isJsonObject(object) ? { ...object, metadata } : object;
}

function causeOf(kind: Kind, change: ObjectChange<KubeObject>): string {
  return change.kind === "removed" ? deletionId(kind, change.object.metadata.uid) : versionId(kind, change.object);
}
