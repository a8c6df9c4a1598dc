import { formatTimestamp, toError } from "@levelset/core/internal";
import type { Clock } from "@levelset/core";
import { CRD_CLEANUP_FINALIZER, crdResource, withTerminatingCondition } from "../kinds/index.ts";
import type { Registry, ResourceObjectRef } from "../registry/index.ts";
import type { Resource } from "../resource/index.ts";
import type { StoredRecord } from "../store/index.ts";
import type { BuiltinController } from "./controller.ts";
import type { RecordChange } from "./change-feed.ts";
import { privilegedUpdateByUid, deleteByUid, withoutFinalizer } from "./update-by-uid.ts";

/** Deletes the objects of a terminating CRD, then removes its finalizer. */
export class CrdController implements BuiltinController {
  readonly name = "crd controller";
  readonly #registry: Registry;
  readonly #clock: Clock;

  constructor(options: { readonly registry: Registry; readonly clock: Clock }) {
    this.#registry = options.registry;
    this.#clock = options.clock;
  }

  *affectedKeys({ key, current }: RecordChange): Iterable<string> {
    if (key.resource === crdResource.id) {
      if (isHeld(current)) yield key.name;
    } else if (current === undefined && isHeld(this.#declaration(key.resource))) yield key.resource;
  }

  async sync(name: string): Promise<undefined> {
    const record = this.#declaration(name);
    if (record === undefined || !isHeld(record)) return;
    const target: ResourceObjectRef = { resource: crdResource, namespace: "", name };
    const now = formatTimestamp(this.#clock.now());
    const { uid } = record.object.metadata;
    const failures: string[] = [];
    if (this.#instances(name).length > 0) {
      await privilegedUpdateByUid(this.#registry, target, uid, (crd) =>
        withTerminatingCondition(crd, "InstanceDeletionInProgress", now),
      );
      const resource = this.#resource(name);
      for (const instance of this.#instances(name)) {
        const failure = resource === undefined ? undefined : await this.#delete(resource, instance);
        if (failure !== undefined) failures.push(failure);
      }
    }
    if (failures.length > 0) throw new Error(failures.join("; "));
    // The deletion of the last object enqueues the CRD again.
    if (this.#instances(name).length > 0) return;
    await privilegedUpdateByUid(this.#registry, target, uid, (crd) =>
      withoutFinalizer(withTerminatingCondition(crd, "InstanceDeletionCompleted", now), CRD_CLEANUP_FINALIZER),
    );
    await deleteByUid(this.#registry, target, uid);
  }

  async #delete(resource: Resource, { key, object }: StoredRecord): Promise<string | undefined> {
    if (object.metadata.deletionTimestamp !== undefined) return undefined;
    try {
      const target = { resource, namespace: key.namespace, name: key.name };
      await deleteByUid(this.#registry, target, object.metadata.uid);
      return undefined;
    } catch (error) {
      return toError(error).message;
    }
  }

  #declaration(name: string): StoredRecord | undefined {
    return this.#registry.store.get({ resource: crdResource.id, namespace: "", name });
  }

  #resource(id: string): Resource | undefined {
    return this.#registry.catalog.resources.find((resource) => resource.id === id);
  }

  #instances(resource: string): readonly StoredRecord[] {
    const listing = this.#registry.store.list({ resource });
    return listing.kind === "listing" ? listing.records : [];
  }
}

function isHeld(record: StoredRecord | undefined): boolean {
  const metadata = record?.object.metadata;
  return metadata?.deletionTimestamp !== undefined && metadata.finalizers?.includes(CRD_CLEANUP_FINALIZER) === true;
}
