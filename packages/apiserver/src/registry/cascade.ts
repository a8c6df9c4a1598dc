import type { ApiObject, Store, StoredRecord, StoreKey } from "../store/index.ts";
import type { Catalog } from "./catalog.ts";
import { asCrd, CLEANUP_FINALIZER } from "./crd.ts";
import { emptied, isHeldByContent, terminating } from "./namespace.ts";
import { removal, marked } from "./remove.ts";
import { CRDS, NAMESPACES } from "./builtins.ts";

/** How a deletion ended: the object is gone (`record` is what watchers saw last), or it stays until released. */
export interface Removed {
  readonly kind: "gone" | "waiting";
  readonly record: StoredRecord;
}

/**
 * Deletions and what follows from them: a namespace takes its content with it, a declared kind its objects, and both go
 * when the last of these is gone.
 */
export class Cascade {
  readonly #store: Store;
  readonly #catalog: Catalog;

  constructor(options: { readonly store: Store; readonly catalog: Catalog }) {
    this.#store = options.store;
    this.#catalog = options.catalog;
  }

  /** Deletes one object, or marks it if finalizers hold it. `decide` may refuse by throwing; it sees the latest state. */
  async delete(key: StoreKey, now: string, decide: (record: StoredRecord) => void): Promise<Removed | undefined> {
    for (;;) {
      const record = this.#store.get(key);
      if (record === undefined) return undefined;
      decide(record);
      const removed = await this.#tryDelete(record, now);
      if (removed !== undefined) return removed;
    }
  }

  /** Removes an object at exactly this version; undefined when it has changed meanwhile. */
  async remove(record: StoredRecord, now: string): Promise<StoredRecord | undefined> {
    const result = await this.#store.delete(record.key, record.revision);
    if (result.kind === "conflict") return undefined;
    if (record.key.resource === CRDS.id) await this.#afterCrd(record, now);
    await this.#release(record.key, now);
    return result.record;
  }

  async #tryDelete(record: StoredRecord, now: string): Promise<Removed | undefined> {
    if (record.key.resource === NAMESPACES.id && isHeldByContent(record.object)) {
      return this.#deleteNamespace(record, now);
    }
    if (record.key.resource === CRDS.id && this.#hasInstances(record.key.name)) return this.#deleteCrd(record, now);
    const decided = removal(record.object, now);
    if (decided.kind === "wait") return { kind: "waiting", record };
    if (decided.kind === "remove") {
      const gone = await this.remove(record, now);
      return gone === undefined ? undefined : { kind: "gone", record: gone };
    }
    return this.#mark(record, decided.object);
  }

  async #mark(record: StoredRecord, object: ApiObject): Promise<Removed | undefined> {
    const result = await this.#store.update(record.key, object, record.revision);
    if (result.kind === "conflict") return undefined;
    if (record.key.resource === CRDS.id) this.#catalog.declare(asCrd(result.record.object));
    return { kind: "waiting", record: result.record };
  }

  async #deleteNamespace(record: StoredRecord, now: string): Promise<Removed | undefined> {
    if (record.object.metadata.deletionTimestamp !== undefined) return { kind: "waiting", record };
    const { deletionGracePeriodSeconds: _none, ...metadata } = marked(record.object, now).metadata;
    const waiting = await this.#mark(record, { ...terminating(record.object), metadata });
    if (waiting === undefined) return undefined;
    const ids = new Set(this.#catalog.resources.filter(({ scope }) => scope === "Namespaced").map(({ id }) => id));
    for (const resource of ids) await this.#deleteAll({ resource, namespace: record.key.name }, now);
    await this.#releaseNamespace(record.key.name, now);
    return waiting;
  }

  async #deleteCrd(record: StoredRecord, now: string): Promise<Removed | undefined> {
    if (record.object.metadata.deletionTimestamp !== undefined) return { kind: "waiting", record };
    const object = marked(record.object, now);
    const finalizers = [...(object.metadata.finalizers ?? []), CLEANUP_FINALIZER];
    const waiting = await this.#mark(record, { ...object, metadata: { ...object.metadata, finalizers } });
    if (waiting === undefined) return undefined;
    await this.#deleteAll({ resource: record.key.name }, now);
    await this.#releaseCrd(record.key.name, now);
    return waiting;
  }

  async #deleteAll(scope: { readonly resource: string; readonly namespace?: string }, now: string): Promise<void> {
    const listing = this.#store.list(scope);
    if (listing.kind === "compacted") return;
    for (const { key } of listing.records) await this.delete(key, now, () => {});
  }

  #hasInstances(resource: string): boolean {
    const listing = this.#store.list({ resource });
    return listing.kind === "listing" && listing.records.length > 0;
  }

  /** A declaration is gone for good: so are the objects that nobody can reach any more. */
  async #afterCrd(record: StoredRecord, now: string): Promise<void> {
    const listing = this.#store.list({ resource: record.key.name });
    this.#catalog.withdraw(record.key.name);
    if (listing.kind === "compacted") return;
    for (const orphan of listing.records) await this.remove(orphan, now);
  }

  /** After an object is gone: lets go of what was waiting for it. */
  async #release(key: StoreKey, now: string): Promise<void> {
    if (key.namespace !== "") await this.#releaseNamespace(key.namespace, now);
    await this.#releaseCrd(key.resource, now);
  }

  async #releaseNamespace(name: string, now: string): Promise<void> {
    const record = this.#store.get({ resource: NAMESPACES.id, namespace: "", name });
    if (record?.object.metadata.deletionTimestamp === undefined) return;
    const ids = this.#catalog.resources.filter(({ scope }) => scope === "Namespaced").map(({ id }) => id);
    const isEmpty = ids.every((resource) => {
      const listing = this.#store.list({ resource, namespace: name });
      return listing.kind === "listing" && listing.records.length === 0;
    });
    if (!isEmpty) return;
    const result = await this.#store.update(record.key, emptied(record.object), record.revision);
    // Somebody wrote in between: their write ends here again.
    if (result.kind === "conflict") return this.#releaseNamespace(name, now);
    if ((record.object.metadata.finalizers ?? []).length === 0) await this.remove(result.record, now);
  }

  async #releaseCrd(name: string, now: string): Promise<void> {
    const record = this.#store.get({ resource: CRDS.id, namespace: "", name });
    if (record?.object.metadata.deletionTimestamp === undefined || this.#hasInstances(name)) return;
    const finalizers = (record.object.metadata.finalizers ?? []).filter((held) => held !== CLEANUP_FINALIZER);
    if (finalizers.length === 0) {
      await this.remove(record, now);
      return;
    }
    const metadata = { ...record.object.metadata, finalizers };
    await this.#store.update(record.key, { ...record.object, metadata }, record.revision);
  }
}
