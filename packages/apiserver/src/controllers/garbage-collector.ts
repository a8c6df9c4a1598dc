import { deepEqual, parseApiVersion } from "@levelset/core";
import type { OwnerReference } from "@levelset/core";
import { CRDS, FOREGROUND_FINALIZER, ORPHAN_FINALIZER } from "../registry/index.ts";
import type { Registry, Resource, Target } from "../registry/index.ts";
import type { ApiObject, StoredRecord, StoreKey } from "../store/index.ts";
import type { Controller } from "./controller.ts";
import type { Change } from "./feed.ts";
import { blocks, isDeletingDependents, isOrphaningDependents, judge } from "./garbage-decision.ts";
import type { OwnerState } from "./garbage-decision.ts";
import { amendObject, deleteObject, withoutFinalizer } from "./guarded-write.ts";
import { formatStoreKey, ownersOf, parseStoreKey } from "./owner-index.ts";
import type { OwnerIndex } from "./owner-index.ts";
import type { Recorder } from "./recorder.ts";

/** What the collector needs. */
export interface GarbageCollectorOptions {
  readonly registry: Registry;
  readonly index: OwnerIndex;
  readonly recorder: Recorder;
}

/** Events are too many, and go by themselves. */
const IGNORED: ReadonlySet<string> = new Set(["events", "events.events.k8s.io"]);

/**
 * Deletes objects whose owners are all gone, and finishes deletions in the foreground and with orphans. Looks only at objects
 * whose owners or dependents have changed.
 */
export class GarbageCollector implements Controller {
  readonly name = "garbage collector";
  readonly #registry: Registry;
  readonly #index: OwnerIndex;
  readonly #recorder: Recorder;
  /** Objects with an owner of a kind that nobody knows. */
  readonly #unresolved = new Set<string>();

  constructor(options: GarbageCollectorOptions) {
    this.#registry = options.registry;
    this.#index = options.index;
    this.#recorder = options.recorder;
  }

  *affected({ key, now, before }: Change): Iterable<string> {
    if (key.resource === CRDS.id) yield* this.#unresolved;
    if (IGNORED.has(key.resource)) return;
    const uid = (now ?? before)?.object.metadata.uid ?? "";
    const isHeld = now !== undefined && (isDeletingDependents(now.object) || isOrphaningDependents(now.object));
    const hasNewOwners = ownersOf(now).length > 0 && !deepEqual(ownersOf(now), ownersOf(before));
    if (isHeld || hasNewOwners) yield formatStoreKey(key);
    if (isHeld || now === undefined) {
      for (const dependent of this.#index.dependentsOf(uid)) yield formatStoreKey(dependent.key);
    }
    // A dependent is gone, or holds up its owner no longer.
    for (const { uid: ownerUid } of ownersOf(before)) {
      const owned = this.#index.keyOf(ownerUid);
      const owner = owned === undefined ? undefined : this.#registry.store.get(owned);
      if (owner !== undefined && isDeletingDependents(owner.object)) yield formatStoreKey(owner.key);
    }
  }

  async sync(text: string): Promise<undefined> {
    const key = parseStoreKey(text);
    this.#unresolved.delete(text);
    const record = this.#registry.store.get(key);
    const resource = this.#resourceOf(key.resource);
    if (record === undefined || resource === undefined || IGNORED.has(key.resource)) return;
    const { object } = record;
    if (isOrphaningDependents(object)) return this.#orphan(resource, record);
    if (isDeletingDependents(object)) return this.#finish(resource, record);
    if (object.metadata.deletionTimestamp !== undefined) return;
    return this.#collect(resource, record);
  }

  async #collect(resource: Resource, record: StoredRecord): Promise<undefined> {
    const { object } = record;
    const references = ownersOf(record);
    const owners = references.map((reference) => ({ reference, state: this.#stateOf(reference, record.key) }));
    const dependents = [...this.#index.dependentsOf(object.metadata.uid)].map((dependent) => dependent.object);
    const decided = judge({ object, owners, dependents });
    const target = targetOf(resource, record);
    if (decided.kind === "unresolved") this.#unresolved.add(formatStoreKey(record.key));
    await this.#warn(record, owners);
    if (decided.kind === "release") await this.#forget(target, object.metadata.uid, decided.owners);
    if (decided.kind !== "collect") return;
    if (decided.unblock) await this.#unblock(target, object.metadata.uid);
    const { uid, resourceVersion } = this.#registry.store.get(record.key)?.object.metadata ?? object.metadata;
    const preconditions = { resourceVersion };
    await deleteObject(this.#registry, target, uid, { propagationPolicy: decided.policy, preconditions });
  }

  /** A deletion in the foreground: over when no dependent holds it up. Those that do are looked at by themselves. */
  async #finish(resource: Resource, record: StoredRecord): Promise<undefined> {
    const { uid } = record.object.metadata;
    for (const dependent of this.#index.dependentsOf(uid)) if (blocks(dependent.object, uid)) return;
    await this.#amend(targetOf(resource, record), uid, (object) => withoutFinalizer(object, FOREGROUND_FINALIZER));
  }

  async #orphan(resource: Resource, record: StoredRecord): Promise<undefined> {
    const { uid } = record.object.metadata;
    // Those who forget leave the index: go over a copy.
    for (const dependent of Array.from(this.#index.dependentsOf(uid))) {
      const kind = this.#resourceOf(dependent.key.resource);
      if (kind !== undefined) await this.#forget(targetOf(kind, dependent), dependent.object.metadata.uid, [uid]);
    }
    await this.#amend(targetOf(resource, record), uid, (object) => withoutFinalizer(object, ORPHAN_FINALIZER));
  }

  /** A reference to an object in another namespace is treated as one to nothing; an event tells. */
  async #warn(
    record: StoredRecord,
    owners: readonly { readonly reference: OwnerReference; readonly state: OwnerState }[],
  ): Promise<void> {
    for (const { reference, state } of owners) {
      if (state !== "dangling" || this.#index.keyOf(reference.uid) === undefined) continue;
      const { namespace } = record.key;
      const owner = `[${reference.apiVersion}/${reference.kind}, namespace: ${namespace}, name: ${reference.name}, uid: ${reference.uid}]`;
      await this.#recorder.record("garbage-collector-controller", record.object, {
        type: "Warning",
        reason: "OwnerRefInvalidNamespace",
        message: `ownerRef ${owner} does not exist in namespace ${JSON.stringify(namespace)}`,
      });
    }
  }

  #stateOf(reference: OwnerReference, dependent: StoreKey): OwnerState {
    const { group, version } = parseApiVersion(reference.apiVersion);
    const kind = this.#registry.catalog.resources.find(
      (resource) => resource.kind === reference.kind && resource.group === group && resource.version === version,
    );
    if (kind === undefined) return "unknown";
    if (kind.scope === "Namespaced" && dependent.namespace === "") return "invalid";
    const namespace = kind.scope === "Namespaced" ? dependent.namespace : "";
    const key = { resource: kind.id, namespace, name: reference.name };
    const owner = this.#registry.store.get(key);
    if (owner === undefined && this.#mayBeQuarantined(key)) return "unknown";
    if (owner?.object.metadata.uid !== reference.uid) return "dangling";
    return isDeletingDependents(owner.object) ? "waiting" : "solid";
  }

  /** An owner that cannot be read is not gone: what it owns must stay. */
  #mayBeQuarantined(key: StoreKey): boolean {
    const { store } = this.#registry;
    return store.quarantine.some((row) => row.key === undefined) || store.quarantined(key) !== undefined;
  }

  #resourceOf(id: string): Resource | undefined {
    return this.#registry.catalog.resources.find((resource) => resource.id === id);
  }

  #forget(target: Target, uid: string, owners: readonly string[]): Promise<void> {
    return this.#amend(target, uid, (object) =>
      withOwners(object, (references) => references.filter((reference) => !owners.includes(reference.uid))),
    );
  }

  #unblock(target: Target, uid: string): Promise<void> {
    return this.#amend(target, uid, (object) =>
      withOwners(object, (references) => references.map((reference) => ({ ...reference, blockOwnerDeletion: false }))),
    );
  }

  #amend(target: Target, uid: string, change: (object: ApiObject) => ApiObject): Promise<void> {
    return amendObject(this.#registry, target, uid, change);
  }
}

function targetOf(resource: Resource, { key }: StoredRecord): Target {
  return { resource, namespace: key.namespace, name: key.name };
}

function withOwners(
  object: ApiObject,
  change: (references: readonly OwnerReference[]) => readonly OwnerReference[],
): ApiObject {
  const { ownerReferences = [], ...metadata } = object.metadata;
  const next = change(ownerReferences);
  return { ...object, metadata: { ...metadata, ...(next.length === 0 ? {} : { ownerReferences: next }) } };
}
