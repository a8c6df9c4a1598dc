import { formatApiVersion } from "@levelset/core";
import type { ObjectMeta } from "@levelset/core";
import { StorageError } from "../store/index.ts";
import type { ApiObject, Store, StoredRecord, StoreKey } from "../store/index.ts";
import { converted } from "./convert.ts";
import { resourceApiVersion } from "./resource.ts";
import type { Resource } from "./resource.ts";
import { viewOfObject } from "./view.ts";

/** An object in the version in which its resource is stored. */
export function inStorageVersion(resource: Resource, object: ApiObject): ApiObject {
  const stored = formatApiVersion(resource.group, resource.storageVersion);
  if (resourceApiVersion(resource) === stored) return object;
  // Once more for the defaults of the version that it is in now.
  return converted(resource, converted(resource, object, stored), stored);
}

/** What storing a new object would do, without doing it. */
export function dryCreate(
  store: Store,
  key: StoreKey,
  object: ApiObject,
): { readonly kind: "written"; readonly record: StoredRecord } | { readonly kind: "conflict" } {
  if (store.get(key) !== undefined) return { kind: "conflict" };
  if (store.quarantined(key) !== undefined) throw new StorageError("quarantined");
  const { resourceVersion: _none, ...metadata } = object.metadata;
  // What is not stored has no version, which no other object lacks.
  const unversioned = { ...object, metadata: metadata as ObjectMeta };
  return { kind: "written", record: { key, ...viewOfObject(unversioned), revision: Number.MAX_SAFE_INTEGER } };
}
