import { deepFreeze, stringifyJson } from "@levelset/core";
import type { ApiObject, StoredRecord } from "../store/index.ts";
import { converted } from "./convert.ts";
import type { Resource } from "./resource.ts";
import { resourceApiVersion } from "./resource.ts";

/** An object as one version of its resource shows it. */
export interface View {
  readonly object: ApiObject;
  readonly json: string;
}

const views = new WeakMap<StoredRecord, Map<Resource, View>>();

/**
 * A stored object in the version of `resource`. Costs nothing for objects that were written in this version since the kind was
 * last declared; others get their apiVersion changed and the defaults of the present schema, once.
 */
export function viewOf(resource: Resource, record: StoredRecord): View {
  const apiVersion = resourceApiVersion(resource);
  if (record.revision >= resource.since && isWrittenIn(record, apiVersion)) return record;
  const known = views.get(record) ?? new Map<Resource, View>();
  views.set(record, known);
  const found = known.get(resource);
  if (found !== undefined) return found;
  const view = convert(resource, apiVersion, record.object);
  known.set(resource, view);
  return view;
}

/** Whether a record is of this version already: its text says so at the beginning, so the object need not be read for it. */
function isWrittenIn(record: StoredRecord, apiVersion: string): boolean {
  return record.json.startsWith(`{"apiVersion":"${apiVersion}",`) || record.object.apiVersion === apiVersion;
}

function convert(resource: Resource, apiVersion: string, stored: ApiObject): View {
  return viewOfObject(resource.alias?.fromHome(stored) ?? converted(resource, stored, apiVersion));
}

/** A view of an object that is not stored in this form. */
export function viewOfObject(object: ApiObject): View {
  return { object: deepFreeze(object), json: stringifyJson(object) };
}
