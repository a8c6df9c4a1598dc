import { deepFreeze, stringifyJson } from "@levelset/core/internal";
import type { ApiObject, StoredRecord } from "../store/index.ts";
import { convertToVersion } from "./convert.ts";
import type { Resource } from "../resource/index.ts";
import { resourceApiVersion } from "../resource/index.ts";

/** An object in one version of its resource. */
export interface VersionedObject {
  readonly object: ApiObject;
  readonly json: string;
}

const views = new WeakMap<StoredRecord, Map<Resource, VersionedObject>>();

/**
 * Returns a stored object in the version of `resource`. Objects written in this version since the last change of the
 * CustomResourceDefinition are returned as stored. Others are converted once and cached.
 */
export function versionedObjectOf(resource: Resource, record: StoredRecord): VersionedObject {
  const apiVersion = resourceApiVersion(resource);
  if (record.revision >= resource.changedAtRevision && isWrittenIn(record, apiVersion)) return record;
  const known = views.get(record) ?? new Map<Resource, VersionedObject>();
  views.set(record, known);
  const found = known.get(resource);
  if (found !== undefined) return found;
  const view = convert(resource, apiVersion, record.object);
  known.set(resource, view);
  return view;
}

/** Returns whether a record is stored in this version. Checks the beginning of its JSON text instead of parsing it. */
function isWrittenIn(record: StoredRecord, apiVersion: string): boolean {
  return record.json.startsWith(`{"apiVersion":"${apiVersion}",`) || record.object.apiVersion === apiVersion;
}

function convert(resource: Resource, apiVersion: string, stored: ApiObject): VersionedObject {
  return versionedObjectFrom(resource.alias?.fromStorage(stored) ?? convertToVersion(resource, stored, apiVersion));
}

/** Wraps an object that is not stored in this form. */
export function versionedObjectFrom(object: ApiObject): VersionedObject {
  return { object: deepFreeze(object), json: stringifyJson(object) };
}
