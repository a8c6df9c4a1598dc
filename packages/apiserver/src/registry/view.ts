import { applyDefaults, deepFreeze, prune, stringifyJson } from "@levelset/core";
import type { ApiObject, StoredRecord } from "../store/index.ts";
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
  if (record.object.apiVersion === apiVersion && record.revision >= resource.since) return record;
  const known = views.get(record) ?? new Map<Resource, View>();
  views.set(record, known);
  const found = known.get(resource);
  if (found !== undefined) return found;
  const view = convert(resource, apiVersion, record.object);
  known.set(resource, view);
  return view;
}

function convert(resource: Resource, apiVersion: string, stored: ApiObject): View {
  const { apiVersion: _a, kind, metadata, ...body } = stored;
  const fields = applyDefaults(resource.bodySchema, prune(resource.bodySchema, body).value);
  // An object in gives an object out.
  const object: ApiObject = deepFreeze({
    apiVersion,
    kind,
    metadata,
    ...(fields as Readonly<Record<string, unknown>>),
  });
  return { object, json: stringifyJson(object) };
}
