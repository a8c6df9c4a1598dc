import { deepEqual, parseKey, unreachable } from "@levelset/core/internal";
import { formatKey, isJsonObject, objectKeyOf, kindId } from "@levelset/core";
import { matchesLabelSelector, SelectorError } from "@levelset/core/schema";
import type { AnyCustomKind, Clock, Kind, KubeObject, ObjectKey, ObjectOf } from "@levelset/core";
import type { LabelSelector } from "@levelset/core/schema";
import type { Cache, ChangeContext, Informer, InformerOptions, ObjectChange, WatchFailure } from "../cache/index.ts";
import type { Priority, Trigger } from "../queue/index.ts";
import { hasOrphanFinalizer, labelSelectorOf, UndeclaredKindError } from "../engine/index.ts";
import type { CacheRead, WatchedObjects, DynamicWatch, LabelQuery, StepPlan, CacheReader } from "../engine/index.ts";
import { DynamicWatches } from "./dynamic-watches.ts";
import type { WatchChange } from "./dynamic-watches.ts";
import { LABEL_INDEX, labelIndexValues, lookupNamespace, wantedValues } from "./label-index.ts";
import { changeTriggers, relatedTrigger } from "./triggers.ts";
import {
  derivedRules,
  deletionId,
  OWNER_INDEX,
  ownerKey,
  ownerUid,
  referenceIndex,
  strippedValue,
  versionId,
} from "./watch-rule.ts";
import type { WatchRule, WatchRuleOptions } from "./watch-rule.ts";

/** A request to reconcile an object, and its triggers. */
export interface EnqueueRequest {
  readonly key: string;
  readonly triggers: readonly Trigger[];
  readonly priority: Priority;
  /** Identifies the write that caused it, so that our own writes can be ignored. */
  readonly cause: string;
  /** Whether a retry that is already scheduled with backoff replaces it. Default: no. */
  readonly yieldsToRetry?: boolean;
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
 * Runs all watches of an operator: its own objects, their children, referenced objects, custom watches and the watches
 * that objects request at run time. Maps each change to the objects to enqueue, and serves the cache reads of steps.
 */
export class EventRouter<K extends AnyCustomKind> implements CacheReader<K> {
  /** The objects of the operator's own kind. */
  readonly own: Informer<K>;
  readonly #options: EventRouterOptions<K>;
  /** Informers that serve reads, by the id of their kind. */
  readonly #others = new Map<string, Informer<Kind>>();
  /** The ids of the kinds that are indexed for `owned` and for `select`. */
  readonly #indexed: Readonly<Record<"owned" | "select", Set<string>>> = { owned: new Set(), select: new Set() };
  readonly #declared: Pick<Informer<Kind>, "synced" | "phase" | "close">[] = [];
  readonly #dynamicWatches: DynamicWatches<K>;
  /** UIDs of our objects that were seen with the orphan finalizer: the garbage collector removes it at any time. */
  readonly #orphaning = new Set<string>();

  constructor(options: EventRouterOptions<K>) {
    this.#options = options;
    const { plan, watches, clock } = options;
    this.own = this.#open(plan.kind, {});
    this.#declared.push(this.own);
    const rules = [...derivedRules(plan), ...watches];
    for (const [position, rule] of rules.entries()) this.#indexOwn(rule, position);
    this.#dynamicWatches = new DynamicWatches<K>({
      clock,
      open: (rule, kind) => this.#openDynamic(rule, kind),
      onWatchChange: (change) => this.#watchChange(change),
    });
    this.own.subscribe((change, context) => this.#ownChange(change, context));
    for (const [position, rule] of rules.entries()) this.#openDeclared(rule, position);
  }

  /** Resolves once all watched kinds have been listed. */
  get synced(): Promise<unknown> {
    return Promise.all(this.#declared.map(({ synced }) => synced));
  }

  /** Why the server refuses to list a declared kind; undefined if it refuses none. */
  get refusal(): WatchFailure | undefined {
    return this.#declared
      .flatMap(({ phase }) => (phase.kind === "failing" ? phase.failure : []))
      .find(({ isRefused }) => isRefused);
  }

  get<Other extends Kind>(kind: Other, key: ObjectKey): ObjectOf<Other> | undefined {
    return this.#informerOf(kind, "get").get(key);
  }

  owned<Other extends Kind>(kind: Other, owner: KubeObject): readonly ObjectOf<Other>[] {
    return this.#informerOf(kind, "owned").byIndex(OWNER_INDEX, owner.metadata.uid);
  }

  stripped<Other extends Kind>(kind: Other, owner: KubeObject): readonly ObjectOf<Other>[] {
    return this.#informerOf(kind, "owned").byIndex(OWNER_INDEX, strippedValue(owner.metadata.uid));
  }

  isOrphaning({ metadata }: KubeObject): boolean {
    return this.#orphaning.has(metadata.uid);
  }

  select<Other extends Kind>(
    kind: Other,
    namespace: string | undefined,
    labels: LabelQuery,
  ): readonly ObjectOf<Other>[] {
    const selector = labelSelectorOf(labels);
    const informer = this.#informerOf(kind, "select");
    return wantedValues(kind.scope === "Cluster" ? undefined : namespace, selector)
      .flatMap((value) => informer.byIndex(LABEL_INDEX, value))
      .filter(({ metadata }) => matchesLabelSelector(selector, metadata.labels));
  }

  watch(owner: ObjectKey, rule: DynamicWatch<K>, kinds: readonly Kind[]): Promise<WatchedObjects> {
    return this.#dynamicWatches.watch(owner, rule, kinds);
  }

  /** Drops the watches that a deleted object requested. */
  forget(key: string): void {
    this.#dynamicWatches.forget(key);
  }

  /** Stops all watches. */
  close(): void {
    this.#dynamicWatches.close();
    for (const informer of this.#declared) informer.close();
  }

  #informerOf<Other extends Kind>(kind: Other, read: CacheRead): Informer<Other> {
    const id = kindId(kind);
    const informer = id === kindId(this.own.kind) ? this.own : this.#others.get(id);
    const isIndexed = read === "get" || this.#indexed[read].has(id);
    if (informer === undefined || !isIndexed) throw new UndeclaredKindError(kind, read);
    // The map stores each informer under the id of its kind.
    return informer as unknown as Informer<Other>;
  }

  #open<Other extends Kind>(kind: Other, options: Pick<InformerOptions, "labels" | "isOptional">): Informer<Other> {
    const { cache, namespaces } = this.#options;
    return cache.watch(kind, { ...options, namespaces });
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

  /** Opens the watch of a rule that is known at the start. */
  #openDeclared(rule: WatchRule<K>, position: number): void {
    const { kind, labelSelector } = rule;
    const informer = this.#open(kind, { labels: labelSelector });
    this.#declared.push(informer);
    if (rule.via === "owner") this.#index("owned", informer, OWNER_INDEX, ownerUid);
    if (rule.via === "labels") this.#index("select", informer, LABEL_INDEX, labelIndexValues);
    // An informer with a label selector must not serve reads of the whole kind.
    if (labelSelector === undefined && (rule.via === "owner" || !this.#others.has(kindId(kind)))) {
      this.#others.set(kindId(kind), informer);
    }
    this.#route(rule, informer, (change) => this.#keysFor(rule, position, change));
  }

  #index(read: "owned" | "select", informer: Informer<Kind>, ...index: Parameters<Informer<Kind>["addIndex"]>): void {
    informer.addIndex(...index);
    this.#indexed[read].add(kindId(informer.kind));
  }

  /** Opens a watch that an object requests. It is optional, because it must not block other objects. */
  #openDynamic(rule: DynamicWatch<K>, kind: Kind): Informer<Kind> {
    const informer = this.#open(kind, { labels: rule.labelSelector, isOptional: true });
    this.#route({ via: "watch", kind }, informer, (change) => this.#mappedKeys(rule.map, change));
    return informer;
  }

  /** Enqueues the objects that `keysFor` returns for each change of interest. */
  #route(
    rule: WatchRuleOptions<Kind> & { readonly via: string; readonly kind: Kind },
    informer: Informer<Kind>,
    keysFor: (change: ObjectChange<KubeObject>) => readonly ObjectKey[],
  ): void {
    const { via, kind } = rule;
    informer.subscribe((change, { origin }) => {
      if (!this.#callSafely(rule, true, () => isOfInterest(rule, change))) return;
      const keys = this.#callSafely(rule, [], () => keysFor(change));
      this.#enqueueAll(keys, kind, change, { via, isLive: origin === "live" });
    });
  }

  #watchChange({ owners, kind, failure, isRelist }: WatchChange): void {
    const triggers: readonly Trigger[] = [{ kind: "watch", of: kind.kind, isWatched: failure === undefined }];
    for (const key of owners) {
      if (this.own.get(parseKey(key)) === undefined) continue;
      // The write that caused the relist failed, and its retry must not be repeated without backoff.
      const cause = `watch ${kindId(kind)}`;
      this.#options.onEnqueue({ key, triggers, priority: "high", cause, yieldsToRetry: isRelist });
    }
  }

  #enqueueAll(
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
        return this.#mappedKeys(rule.map, change);
      default:
        return unreachable(rule);
    }
  }

  #mappedKeys(map: DynamicWatch<K>["map"], change: ObjectChange<KubeObject>): readonly ObjectKey[] {
    return versionsOf(change).flatMap((version) => map(version, this.own.list()));
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
    const { uid } = change.object.metadata;
    if (hasOrphanFinalizer(change.object)) this.#orphaning.add(uid);
    const triggers = changeTriggers(change, context);
    if (triggers.length === 0) {
      this.#orphaning.delete(uid);
      this.forget(key);
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

function isOfInterest({ project = content }: WatchRuleOptions<Kind>, change: ObjectChange<KubeObject>): boolean {
  if (change.kind !== "updated") return true;
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
