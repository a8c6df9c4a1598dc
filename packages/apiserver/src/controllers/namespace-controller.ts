import { formatTimestamp, toError } from "@levelset/core/internal";
import type { Clock } from "@levelset/core";
import { finalizeNamespace, hasContentFinalizer, namespaceResource } from "../kinds/index.ts";
import { asRecord } from "../resource/index.ts";
import type { Registry } from "../registry/index.ts";
import type { Resource } from "../resource/index.ts";
import type { StoredRecord } from "../store/index.ts";
import type { BuiltinController } from "./controller.ts";
import type { RecordChange } from "./change-feed.ts";
import { privilegedUpdateByUid, deleteByUid } from "./update-by-uid.ts";
import { contentConditions } from "./namespace-content.ts";
import type { RemainingContent } from "./namespace-content.ts";

/** Deletes the content of terminating namespaces, then removes the kubernetes finalizer. */
export class NamespaceController implements BuiltinController {
  readonly name = "namespace controller";
  readonly #registry: Registry;
  readonly #clock: Clock;

  constructor(options: { readonly registry: Registry; readonly clock: Clock }) {
    this.#registry = options.registry;
    this.#clock = options.clock;
  }

  *affectedKeys({ key, current }: RecordChange): Iterable<string> {
    if (key.resource === namespaceResource.id) {
      if (current?.object.metadata.deletionTimestamp !== undefined) yield key.name;
    } else if (key.namespace !== "" && this.#isDying(key.namespace)) yield key.namespace;
  }

  async sync(name: string): Promise<undefined> {
    const record = this.#namespace(name);
    if (record === undefined || !this.#isDying(name) || !hasContentFinalizer(record.object)) return;
    const remains = await this.#empty(name);
    const isEmpty = [...remains.objects.values()].every((records) => records.length === 0);
    const now = formatTimestamp(this.#clock.now());
    const target = { resource: namespaceResource, namespace: "", name };
    const { uid } = record.object.metadata;
    await privilegedUpdateByUid(this.#registry, target, uid, (object) => ({
      ...object,
      status: { ...asRecord(object["status"]), conditions: contentConditions(object, remains, now) },
    }));
    if (isEmpty) await privilegedUpdateByUid(this.#registry, target, uid, finalizeNamespace);
    if (remains.failures.length > 0 && !isEmpty) throw new Error(remains.failures.join("; "));
  }

  /** Deletes the content of a namespace: pods first, other objects once the pods are gone. */
  async #empty(namespace: string): Promise<RemainingContent> {
    const failures: string[] = [];
    const objects = new Map<string, readonly StoredRecord[]>();
    const seen = new Set<string>();
    const resources = this.#registry.catalog.resources.filter(({ scope }) => scope === "Namespaced");
    const podsFirst = resources.toSorted((a, b) => Number(b.id === "pods") - Number(a.id === "pods"));
    for (const resource of podsFirst) {
      // Versions of one kind share the same objects.
      if (seen.has(resource.id)) continue;
      seen.add(resource.id);
      for (const record of this.#content(resource, namespace)) {
        const failure = await this.#delete(resource, record);
        if (failure !== undefined) failures.push(failure);
      }
      const left = this.#content(resource, namespace);
      if (left.length > 0) objects.set(`${resource.plural}.${resource.group}`, left);
      if (resource.id === "pods" && left.length > 0) return { objects, failures };
    }
    return { objects, failures };
  }

  async #delete(resource: Resource, { object, key }: StoredRecord): Promise<string | undefined> {
    if (object.metadata.deletionTimestamp !== undefined) return undefined;
    try {
      const target = { resource, namespace: key.namespace, name: key.name };
      await deleteByUid(this.#registry, target, object.metadata.uid, { propagationPolicy: "Background" });
      return undefined;
    } catch (error) {
      return toError(error).message;
    }
  }

  #content(resource: Resource, namespace: string): readonly StoredRecord[] {
    const listing = this.#registry.store.list({ resource: resource.id, namespace });
    return listing.kind === "listing" ? listing.records : [];
  }

  #namespace(name: string): StoredRecord | undefined {
    return this.#registry.store.get({ resource: namespaceResource.id, namespace: "", name });
  }

  #isDying(name: string): boolean {
    return this.#namespace(name)?.object.metadata.deletionTimestamp !== undefined;
  }
}
