import { timestamp, toError } from "@levelset/core";
import type { Clock } from "@levelset/core";
import { CLEANUP_FINALIZER, CRDS, terminatingCrd } from "../registry/index.ts";
import type { Registry, Resource, Target } from "../registry/index.ts";
import type { StoredRecord } from "../store/index.ts";
import type { Controller } from "./controller.ts";
import type { Change } from "./feed.ts";
import { amendObject, deleteObject, withoutFinalizer } from "./guarded-write.ts";

/** Deletes the objects of a declared kind whose declaration goes, and then lets go of the declaration. */
export class CrdController implements Controller {
  readonly name = "crd controller";
  readonly #registry: Registry;
  readonly #clock: Clock;

  constructor(options: { readonly registry: Registry; readonly clock: Clock }) {
    this.#registry = options.registry;
    this.#clock = options.clock;
  }

  *affected({ key, now }: Change): Iterable<string> {
    if (key.resource === CRDS.id) {
      if (isHeld(now)) yield key.name;
    } else if (now === undefined && isHeld(this.#declaration(key.resource))) yield key.resource;
  }

  async sync(name: string): Promise<undefined> {
    const record = this.#declaration(name);
    if (record === undefined || !isHeld(record)) return;
    const target: Target = { resource: CRDS, namespace: "", name };
    const now = timestamp(this.#clock.now());
    const { uid } = record.object.metadata;
    const failures: string[] = [];
    if (this.#instances(name).length > 0) {
      await amendObject(this.#registry, target, uid, (crd) => terminatingCrd(crd, "InstanceDeletionInProgress", now));
      const resource = this.#resource(name);
      for (const instance of this.#instances(name)) {
        const failure = resource === undefined ? undefined : await this.#delete(resource, instance);
        if (failure !== undefined) failures.push(failure);
      }
    }
    if (failures.length > 0) throw new Error(failures.join("; "));
    // The last of them asks again when it goes.
    if (this.#instances(name).length > 0) return;
    await amendObject(this.#registry, target, uid, (crd) =>
      withoutFinalizer(terminatingCrd(crd, "InstanceDeletionCompleted", now), CLEANUP_FINALIZER),
    );
    await deleteObject(this.#registry, target, uid);
  }

  async #delete(resource: Resource, { key, object }: StoredRecord): Promise<string | undefined> {
    if (object.metadata.deletionTimestamp !== undefined) return undefined;
    try {
      const target = { resource, namespace: key.namespace, name: key.name };
      await deleteObject(this.#registry, target, object.metadata.uid);
      return undefined;
    } catch (error) {
      return toError(error).message;
    }
  }

  #declaration(name: string): StoredRecord | undefined {
    return this.#registry.store.get({ resource: CRDS.id, namespace: "", name });
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
  return metadata?.deletionTimestamp !== undefined && metadata.finalizers?.includes(CLEANUP_FINALIZER) === true;
}
