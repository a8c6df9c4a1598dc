import { applyDefaults, pruneUnknownFields } from "@levelset/core/schema";
import type { FieldError } from "@levelset/core/schema";
import type { JsonValue } from "@levelset/core";
import type { ApiObject, Store, StoreKey, WriteResult } from "../store/index.ts";
import { resourceApiVersion } from "../resource/index.ts";
import type { Resource } from "../resource/index.ts";
import { objectErrors } from "./create.ts";
import { decodeObject } from "./decode.ts";
import type { Registry } from "./registry.ts";
import { toStorageVersion } from "./storage-version.ts";

/** Why the server would not accept an object that was loaded. */
export interface LoadProblem {
  /** As it was given. */
  readonly object: ApiObject;
  /** Errors of its validation. Updates that keep them are rejected, unless they are unchanged and ratcheted. */
  readonly errors: readonly FieldError[];
  /** Paths of fields that the schema does not declare, and that are not served. */
  readonly dropped: readonly string[];
}

interface Loading {
  readonly key: StoreKey;
  readonly stored: ApiObject;
  readonly problem: LoadProblem;
}

/**
 * Stores objects of another server as they are: with their uid, generation, managedFields, owners, finalizers, deletion
 * time and status. Only the resourceVersion is new. An object of the same name is replaced. As on a read of
 * kube-apiserver, the schema of a custom kind drops undeclared fields and adds defaults, and does not validate: returns
 * the objects that would not be valid. Throws if a kind is not served, and BadRequest for fields of a wrong type.
 *
 * All writes start in the same turn of the event loop, so that the garbage collector of a server in memory sees owners
 * and dependents together.
 */
export async function loadObjects(registry: Registry, objects: readonly ApiObject[]): Promise<readonly LoadProblem[]> {
  const { store } = registry;
  const loading = objects.map((object) => prepare(resourceOf(registry, object), object));
  const written = await Promise.all(loading.map(({ key, stored }) => put(store, key, stored)));
  const conflict = written.findIndex(({ kind }) => kind === "conflict");
  if (conflict !== -1) throw new Error(`${describe(objects[conflict])} was written while objects were loaded`);
  return loading.flatMap(({ problem }) => (problem.errors.length + problem.dropped.length === 0 ? [] : [problem]));
}

function resourceOf({ catalog }: Registry, object: ApiObject): Resource {
  const resource = catalog.resources.find(
    (each) => each.kind === object.kind && resourceApiVersion(each) === object.apiVersion,
  );
  if (resource !== undefined && resource.virtualCreate === undefined) return resource;
  throw new Error(`${describe(object)} cannot be loaded: the server does not store this kind`);
}

function prepare(resource: Resource, object: ApiObject): Loading {
  const { alias } = resource;
  if (alias !== undefined) {
    const stored = alias.toStorage(canonical(resource, object));
    return prepare(alias.storageResource, { ...stored, metadata: object.metadata });
  }
  const { namespace = "", name } = object.metadata;
  const key = { resource: resource.id, namespace, name };
  if (!resource.isCustom)
    return { key, stored: canonical(resource, object), problem: { object, errors: [], dropped: [] } };
  const { apiVersion, kind, metadata, ...body } = object;
  const { value, dropped } = pruneUnknownFields(resource.bodySchema, body);
  // Pruning and defaulting return an object for an object.
  const complete = applyDefaults(resource.bodySchema, value) as Readonly<Record<string, unknown>>;
  const served: ApiObject = { apiVersion, kind, metadata, ...complete };
  const errors = objectErrors(resource, served, undefined);
  return { key, stored: toStorageVersion(resource, served), problem: { object, errors, dropped } };
}

/**
 * Returns an object of a built-in kind in the form in which this server writes it, so that a later write without changes
 * changes nothing: other servers also store nulls and zero values.
 */
function canonical(resource: Resource, object: ApiObject): ApiObject {
  const body = object as unknown as JsonValue; // objects are JSON
  return { ...decodeObject(resource, body, "Ignore").object, metadata: object.metadata };
}

function put(store: Store, key: StoreKey, object: ApiObject): Promise<WriteResult> {
  const present = store.get(key);
  return present === undefined ? store.create(key, object) : store.update(key, object, present.revision);
}

function describe(object: ApiObject | undefined): string {
  return `${object?.kind} ${object?.metadata.name} (${object?.apiVersion})`;
}
