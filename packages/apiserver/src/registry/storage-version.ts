import { formatApiVersion } from "@levelset/core/internal";
import type { ObjectMeta } from "@levelset/core";
import { StorageError } from "../store/index.ts";
import type { ApiObject, Store, StoredRecord, StoreKey } from "../store/index.ts";
import { convertToVersion } from "./convert.ts";
import { resourceApiVersion } from "../resource/index.ts";
import type { Resource } from "../resource/index.ts";
import { versionedObjectFrom } from "./versioned-object.ts";

/** Converts an object to the storage version. */
export function toStorageVersion(resource: Resource, object: ApiObject): ApiObject {
  const stored = formatApiVersion(resource.group, resource.storageVersion);
  if (resourceApiVersion(resource) === stored) return object;
  // The second conversion applies the defaults of the storage version.
  return convertToVersion(resource, convertToVersion(resource, object, stored), stored);
}

/** Returns the result of a dry-run create. */
export function dryRunCreate(
  store: Store,
  key: StoreKey,
  object: ApiObject,
): { readonly kind: "written"; readonly record: StoredRecord } | { readonly kind: "conflict" } {
  if (store.get(key) !== undefined) return { kind: "conflict" };
  if (store.quarantined(key) !== undefined) throw new StorageError("quarantined");
  const { resourceVersion: _none, ...metadata } = object.metadata;
  // An object that is not stored has no resourceVersion. The cast is needed only here.
  const unversioned = { ...object, metadata: metadata as ObjectMeta };
  return { kind: "written", record: { key, ...versionedObjectFrom(unversioned), revision: Number.MAX_SAFE_INTEGER } };
}
