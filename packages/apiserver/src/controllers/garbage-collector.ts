import { deepEqual, parseApiVersion } from "@levelset/core/internal";
import type { Clock, OwnerReference } from "@levelset/core";
import { BUILTIN_RESOURCES, crdResource } from "../kinds/index.ts";
import { FOREGROUND_FINALIZER, ORPHAN_FINALIZER } from "../resource/index.ts";
import type { Registry, ResourceObjectRef } from "../registry/index.ts";
import type { Resource } from "../resource/index.ts";
import type { ApiObject, StoredRecord, StoreKey } from "../store/index.ts";
import type { BuiltinController } from "./controller.ts";
import type { RecordChange } from "./change-feed.ts";
import { blocksOwnerDeletion, isDeletingDependents, isOrphaningDependents, decideGarbage } from "./garbage-decision.ts";
import type { OwnerState } from "./garbage-decision.ts";
import { privilegedUpdateByUid, deleteByUid, withoutFinalizer } from "./update-by-uid.ts";
import { formatStoreKey, ownerReferencesOf, parseStoreKey } from "./owner-index.ts";
import type { OwnerIndex } from "./owner-index.ts";
import type { ControllerEventRecorder } from "./event-recorder.ts";

/** Settings of the garbage collector. */
export interface GarbageCollectionOptions {
  /**
   * UIDs of owners that are not stored here but exist, such as those that a copy of another cluster leaves out. Their
   * dependents are not collected. Default: none.
   */
  readonly externalOwners?: ReadonlySet<string>;
  /** Milliseconds for which an object without owners stays. Default: 0. */
  readonly collectAfterMs?: number;
}

/** Options of {@link GarbageCollector}. */
export interface GarbageCollectorOptions extends GarbageCollectionOptions {
  readonly registry: Registry;
  readonly clock: Clock;
  readonly index: OwnerIndex;
  readonly recorder: ControllerEventRecorder;
}

/** Events are too numerous and expire by themselves. */
const IGNORED: ReadonlySet<string> = new Set(
  BUILTIN_RESOURCES.filter(({ strategy }) => strategy.defaultPropagationPolicy === "unsupported").map(({ id }) => id),
);

/**
 * Deletes objects without remaining owners and completes foreground and orphan deletions, like
 * `pkg/controller/garbagecollector` (Kubernetes 1.36). Syncs only objects whose owners or dependents changed.
 */
export class GarbageCollector implements BuiltinController {
  readonly name = "garbage collector";
  readonly #registry: Registry;
  readonly #clock: Clock;
  readonly #index: OwnerIndex;
  readonly #recorder: ControllerEventRecorder;
  readonly #externalOwners: ReadonlySet<string>;
  readonly #collectAfterMs: number;
  /** Key → when the object without owners that has it now is collected. */
  readonly #due = new Map<string, { readonly uid: string; readonly at: number }>();
  /** Objects with an owner of an unknown kind. */
  readonly #unresolved = new Set<string>();

  constructor(options: GarbageCollectorOptions) {
    this.#registry = options.registry;
    this.#clock = options.clock;
    this.#index = options.index;
    this.#recorder = options.recorder;
    this.#externalOwners = options.externalOwners ?? new Set();
    this.#collectAfterMs = options.collectAfterMs ?? 0;
  }

  *affectedKeys({ key, current, previous }: RecordChange): Iterable<string> {
    if (key.resource === crdResource.id) yield* this.#unresolved;
    if (IGNORED.has(key.resource)) return;
    const uid = (current ?? previous)?.object.metadata.uid ?? "";
    const isHeld =
      current !== undefined && (isDeletingDependents(current.object) || isOrphaningDependents(current.object));
    const text = formatStoreKey(key);
    const owners = ownerReferencesOf(current);
    const hasNewOwners = (owners.length > 0 || this.#due.has(text)) && !deepEqual(owners, ownerReferencesOf(previous));
    if (isHeld || hasNewOwners) yield text;
    if (isHeld || current === undefined) {
      for (const dependent of this.#index.dependentsOf(uid)) yield formatStoreKey(dependent.key);
    }
    // A dependent is gone or no longer blocks its owner.
    for (const { uid: ownerUid } of ownerReferencesOf(previous)) {
      const owned = this.#index.storeKeyOf(ownerUid);
      const owner = owned === undefined ? undefined : this.#registry.store.get(owned);
      if (owner !== undefined && isDeletingDependents(owner.object)) yield formatStoreKey(owner.key);
    }
  }

  async sync(text: string): Promise<number | undefined> {
    const leftMs = await this.#sync(text);
    // The object is collected, is gone, or has an owner again.
    if (leftMs === undefined) this.#due.delete(text);
    return leftMs;
  }

  /** Returns the time after which it must be called again, if the object must still stay. */
  async #sync(text: string): Promise<number | undefined> {
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

  /** Returns the time after which it must be called again, if the object must still stay. */
  async #collect(resource: Resource, record: StoredRecord): Promise<number | undefined> {
    const { object } = record;
    const references = ownerReferencesOf(record);
    const owners = references.map((reference) => ({ reference, state: this.#stateOf(reference, record.key) }));
    const dependents = [...this.#index.dependentsOf(object.metadata.uid)].map((dependent) => dependent.object);
    const decided = decideGarbage({ object, owners, dependents });
    const target = targetOf(resource, record);
    if (decided.kind === "unresolved") this.#unresolved.add(formatStoreKey(record.key));
    await this.#warn(record, owners);
    if (decided.kind === "release") await this.#removeOwners(target, object.metadata.uid, decided.owners);
    if (decided.kind !== "collect") return undefined;
    const leftMs = this.#leftMs(record);
    if (leftMs > 0) return leftMs;
    if (decided.unblock) await this.#unblock(target, object.metadata.uid);
    const { uid, resourceVersion } = this.#registry.store.get(record.key)?.object.metadata ?? object.metadata;
    const preconditions = { resourceVersion };
    await deleteByUid(this.#registry, target, uid, { propagationPolicy: decided.policy, preconditions });
    return undefined;
  }

  /** Returns for how long an object without owners still stays. */
  #leftMs({ key, object }: StoredRecord): number {
    const now = this.#clock.monotonic();
    const text = formatStoreKey(key);
    const { uid } = object.metadata;
    const due = this.#due.get(text);
    const at = due?.uid === uid ? due.at : now + this.#collectAfterMs;
    this.#due.set(text, { uid, at });
    return at - now;
  }

  /** Completes a foreground deletion once no dependent blocks it. Blocking dependents are synced separately. */
  async #finish(resource: Resource, record: StoredRecord): Promise<undefined> {
    const { uid } = record.object.metadata;
    for (const dependent of this.#index.dependentsOf(uid)) if (blocksOwnerDeletion(dependent.object, uid)) return;
    await this.#update(targetOf(resource, record), uid, (object) => withoutFinalizer(object, FOREGROUND_FINALIZER));
  }

  async #orphan(resource: Resource, record: StoredRecord): Promise<undefined> {
    const { uid } = record.object.metadata;
    // Iterates over a copy, because released dependents leave the index.
    for (const dependent of Array.from(this.#index.dependentsOf(uid))) {
      const kind = this.#resourceOf(dependent.key.resource);
      if (kind !== undefined) await this.#removeOwners(targetOf(kind, dependent), dependent.object.metadata.uid, [uid]);
    }
    await this.#update(targetOf(resource, record), uid, (object) => withoutFinalizer(object, ORPHAN_FINALIZER));
  }

  /**
   * Records an event for an owner reference to another namespace, which counts as absent (docs: Owners and Dependents).
   */
  async #warn(
    record: StoredRecord,
    owners: readonly { readonly reference: OwnerReference; readonly state: OwnerState }[],
  ): Promise<void> {
    for (const { reference, state } of owners) {
      if (state !== "dangling" || this.#index.storeKeyOf(reference.uid) === undefined) continue;
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
    if (this.#externalOwners.has(reference.uid)) return "solid";
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

  /** An owner in quarantine cannot be read but is not gone, so its dependents must stay. */
  #mayBeQuarantined(key: StoreKey): boolean {
    const { store } = this.#registry;
    return store.quarantine.some((row) => row.key === undefined) || store.quarantined(key) !== undefined;
  }

  #resourceOf(id: string): Resource | undefined {
    return this.#registry.catalog.resources.find((resource) => resource.id === id);
  }

  #removeOwners(target: ResourceObjectRef, uid: string, owners: readonly string[]): Promise<void> {
    return this.#update(target, uid, (object) =>
      withOwners(object, (references) => references.filter((reference) => !owners.includes(reference.uid))),
    );
  }

  #unblock(target: ResourceObjectRef, uid: string): Promise<void> {
    return this.#update(target, uid, (object) =>
      withOwners(object, (references) => references.map((reference) => ({ ...reference, blockOwnerDeletion: false }))),
    );
  }

  #update(target: ResourceObjectRef, uid: string, change: (object: ApiObject) => ApiObject): Promise<void> {
    return privilegedUpdateByUid(this.#registry, target, uid, change);
  }
}

function targetOf(resource: Resource, { key }: StoredRecord): ResourceObjectRef {
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
