import { controllerOf, isDeleting, isJsonObject } from "@levelset/core";
import type { ApiObject, MemoryStore, StoredRecord, StoreEvent } from "@levelset/apiserver";
import type { ObjectId } from "../history/index.ts";
import { isBookkeepingResource } from "./bookkeeping.ts";

/** Field managers of operators and of Operands. */
const MANAGER = /^(?:levelset-|operand\.levelset\.dev\/)/u;
/** Label of a child with the uid of its owner. */
const OWNER_UID_LABEL = "levelset.dev/owner-uid";
/** Label of an object of a set, with the uid of its Operand in the name. */
const OPERAND_UID_LABEL = /^operand\.levelset\.dev\/([0-9a-f]{8}-[0-9a-f-]{27})$/u;
const OPERAND_GROUP = "operand.levelset.dev";
const OPERANDS = `operands.${OPERAND_GROUP}`;
/** A manager may install the CRDs of its operators. */
const CRDS = "customresourcedefinitions.apiextensions.k8s.io";

/** One object over time. */
export interface ObjectRecord {
  readonly key: string;
  readonly resource: string;
  /** The latest version, also after the deletion. */
  object: ApiObject;
  isDeleted: boolean;
  /** The uids of all objects that had this name, oldest first. */
  readonly uids: string[];
  /** Those that were deleted because their controller was. */
  readonly garbage: Set<string>;
}

/** Follows every write of a store: the objects that exist, who created them, and which had the same name before. */
export class Journal {
  readonly #store: MemoryStore;
  readonly #records = new Map<string, ObjectRecord>();
  /** The uids of objects that the simulation has created itself. */
  readonly #users = new Set<string>();
  /** The uids of objects that are gone, or whose deletion was requested. */
  readonly #deleted = new Set<string>();
  /** The field managers of Operands whose users asked that objects stay. */
  readonly #keeping = new Set<string>();
  readonly #listeners: ((event: StoreEvent) => void)[] = [];
  readonly #close: () => void;
  /** Computed on demand, and dropped with the next write. */
  #present: readonly ObjectRecord[] | undefined;
  #children: readonly ObjectRecord[] | undefined;

  /** `from` is the revision after which objects are of interest. */
  constructor(store: MemoryStore) {
    this.#store = store;
    const watch = store.watch({}, store.revision, () => this.#take());
    if (watch.kind === "compacted") throw new Error("the history of the store is too short");
    this.#take = () => {
      for (let events = watch.take(100); events.length > 0; events = watch.take(100)) {
        for (const event of events) this.#apply(event);
      }
    };
    this.#close = () => watch.close();
  }

  get revision(): number {
    return this.#store.revision;
  }

  /** Calls a function for every later write. */
  subscribe(listener: (event: StoreEvent) => void): void {
    this.#listeners.push(listener);
  }

  /** Marks an object as one of a user or another client. */
  claimForUser(uid: string): void {
    this.#users.add(uid);
    this.#children = undefined;
  }

  isOfUser({ object }: { readonly object: ApiObject }): boolean {
    return this.#users.has(object.metadata.uid);
  }

  /** All objects that exist, in the order of their keys. */
  present(): readonly ObjectRecord[] {
    this.#present ??= [...this.#records.values()].filter(({ isDeleted }) => !isDeleted).toSorted(byKey);
    return this.#present;
  }

  /** The objects that operators have created, in the order of their keys. */
  children(): readonly ObjectRecord[] {
    this.#children ??= this.present().filter((record) => this.isChild(record));
    return this.#children;
  }

  /** The objects that operators have created for an object. */
  childrenOf({ object: { metadata } }: ObjectRecord): readonly ObjectRecord[] {
    return this.children().filter((child) => this.ownerUids(child).includes(metadata.uid));
  }

  /** The children of an object, and their children. */
  descendantsOf(record: ObjectRecord): readonly ObjectRecord[] {
    const found = new Set<ObjectRecord>();
    const queue = [record];
    for (const each of queue) {
      for (const child of this.childrenOf(each)) {
        if (found.has(child)) continue;
        found.add(child);
        queue.push(child);
      }
    }
    return [...found];
  }

  /** The uids of the owners of an object, and of the Operands that have it. */
  ownerUids({ object: { metadata } }: ObjectRecord): readonly string[] {
    const { labels = {}, ownerReferences = [] } = metadata;
    const labelled = labels[OWNER_UID_LABEL];
    const operands = Object.keys(labels).flatMap((name) => OPERAND_UID_LABEL.exec(name)?.[1] ?? []);
    return [...(labelled === undefined ? [] : [labelled]), ...operands, ...ownerReferences.map(({ uid }) => uid)];
  }

  /** All names that ever had an object, in the order of their keys. */
  all(): readonly ObjectRecord[] {
    return [...this.#records.values()].toSorted(byKey);
  }

  /** Returns the plural name of a kind of which an object was written; undefined if there was none. */
  pluralOf({ apiVersion, kind }: Pick<ObjectId, "apiVersion" | "kind">): string | undefined {
    const records = [...this.#records.values()];
    const found = records.find(({ object }) => object.kind === kind && object.apiVersion === apiVersion);
    return found?.resource.split(".")[0];
  }

  /** Reports whether an operator has written the object, and no user has created it. */
  isChild(record: Pick<ObjectRecord, "resource" | "object">): boolean {
    const { resource } = record;
    if (isBookkeepingResource(resource) || resource === CRDS || this.isOfUser(record)) return false;
    return (record.object.metadata.managedFields ?? []).some(({ manager = "" }) => MANAGER.test(manager));
  }

  /** The objects that an Operand has applied, also those that were deleted since. */
  adopted(): readonly ObjectRecord[] {
    return this.all().filter(({ object }) =>
      (object.metadata.managedFields ?? []).some(({ manager = "" }) => manager.startsWith(`${OPERAND_GROUP}/`)),
    );
  }

  /** Reports whether an object is left of Operands that are gone: it stays, and the next Operand that applies it adopts it. */
  isLeftover(record: ObjectRecord): boolean {
    if (!this.mayStay(record)) return false;
    const owners = new Set(this.ownerUids(record));
    return !this.present().some(({ object }) => owners.has(object.metadata.uid));
  }

  /** Reports whether an Operand leaves an object: a namespace, or one that its user wants to stay. */
  mayStay({ object, resource }: ObjectRecord): boolean {
    return (object.metadata.managedFields ?? []).some(
      ({ manager = "" }) =>
        this.#keeping.has(manager) || (resource === "namespaces" && manager.startsWith(`${OPERAND_GROUP}/`)),
    );
  }

  close(): void {
    this.#close();
  }

  #take: () => void = () => {};

  #apply(event: StoreEvent): void {
    this.#present = undefined;
    this.#children = undefined;
    const { key, object }: StoredRecord = event.record;
    const id = `${key.resource} ${key.namespace}/${key.name}`;
    const isDeleted = event.kind === "deleted";
    const record = this.#records.get(id) ?? {
      key: id,
      resource: key.resource,
      object,
      isDeleted,
      uids: [],
      garbage: new Set(),
    };
    this.#records.set(id, record);
    record.object = object;
    record.isDeleted = isDeleted;
    const { uid } = object.metadata;
    if (record.uids.at(-1) !== uid) record.uids.push(uid);
    if (isDeleted && this.#deleted.has(controllerOf(object)?.uid ?? "")) record.garbage.add(uid);
    if (isDeleted || isDeleting(object)) this.#deleted.add(uid);
    if (key.resource === OPERANDS && keepsObjects(event)) this.#keeping.add(`${OPERAND_GROUP}/${object.metadata.uid}`);
    for (const listener of this.#listeners) listener(event);
  }
}

/** Reports whether an Operand keeps objects that it does not need any more: on its deletion, or in general. */
function keepsObjects({ kind, record: { object } }: StoreEvent): boolean {
  const spec = object["spec"];
  if (!isJsonObject(spec)) return false;
  const prune = spec["prune"];
  const mode = isJsonObject(prune) ? prune["mode"] : undefined;
  return mode === "Disabled" || (kind === "deleted" && spec["deletionPolicy"] === "Orphan");
}

function byKey(a: ObjectRecord, b: ObjectRecord): number {
  return a.key < b.key ? -1 : a.key > b.key ? 1 : 0;
}

/** Reports whether a field manager is that of an operator. */
export function isOperatorManager(manager: string): boolean {
  return MANAGER.test(manager);
}
